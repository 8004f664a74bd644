import { Select } from '@mantine/core';
import { useTexts } from '../texts';
import { useOccurrences } from '../upload/use-occurrences';

interface OccurrenceFilterProps {
  value: string | undefined;
  onChange(value: string | null): void;
}

export function OccurrenceFilter({ value, onChange }: OccurrenceFilterProps) {
  const { participants } = useTexts();
  return (
    <Select
      aria-label={participants.event}
      placeholder={participants.anyEvent}
      searchable
      clearable
      data={useOccurrences()}
      limit={100}
      value={value ?? null}
      onChange={onChange}
    />
  );
}
