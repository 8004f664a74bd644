import { Button, Group, NumberInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Problem } from '../../pieces';
import { useTexts } from '../../texts';

interface RaiseFormProps {
  label: string;
  description: string;
  /** The limit now. */
  limit: number;
  /** What the rows need. */
  needed: number;
  /** Writes another limit, and reads it again. */
  raise(to: number): Promise<unknown>;
}

/** A limit that is too low for rows, with the number that they need. */
export function RaiseForm({ label, description, limit, needed, raise: write }: RaiseFormProps) {
  const { rows: texts, number } = useTexts();
  const [given, setGiven] = useState<number>();
  const to = given ?? Math.max(limit, needed);
  const raise = useMutation({ mutationFn: () => write(to) });
  return (
    <Group gap="8px 12px" align="end">
      <NumberInput
        label={label}
        description={description}
        min={limit}
        allowDecimal={false}
        value={to}
        onChange={(value) => setGiven(Number(value))}
      />
      <Button
        variant="default"
        loading={raise.isPending}
        disabled={to <= limit && !raise.isIdle}
        onClick={() => raise.mutate()}
      >
        {raise.isSuccess ? texts.raised(number(limit)) : texts.raiseTo(number(to))}
      </Button>
      {raise.error && <Problem error={raise.error} />}
    </Group>
  );
}
