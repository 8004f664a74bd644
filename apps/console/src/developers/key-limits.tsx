import { Checkbox, MultiSelect, TextInput } from '@mantine/core';
import type { ApiKeyItem, KeyKind } from '../api';
import { HERE } from '../pieces';
import { useTexts } from '../texts';
import { useOccurrences } from '../upload/use-occurrences';

/** The one operation that `endpoints` of a key can contain. */
const REGISTRATION_CHECK = 'registrationStatus';

/** What a key is restricted to. An empty list of occurrences: all. */
export interface Limits {
  eventOccurrenceIds: string[];
  registrationOnly: boolean;
}

export const NO_LIMITS: Limits = { eventOccurrenceIds: [], registrationOnly: false };

export const limitsOf = ({ eventOccurrenceIds, endpoints }: ApiKeyItem): Limits => ({
  eventOccurrenceIds: eventOccurrenceIds ?? [],
  registrationOnly: endpoints !== null,
});

export const isLimited = ({ eventOccurrenceIds, registrationOnly }: Limits): boolean =>
  eventOccurrenceIds.length > 0 || registrationOnly;

/** As the API takes them: `null` is no restriction. */
export const sentLimits = ({ eventOccurrenceIds, registrationOnly }: Limits) => ({
  eventOccurrenceIds: eventOccurrenceIds.length > 0 ? eventOccurrenceIds : null,
  endpoints: registrationOnly ? [REGISTRATION_CHECK] : null,
});

/** Those of `after` that are others than before. */
export const changedLimits = (before: Limits, after: Limits) => {
  const known: Record<string, string[] | null> = sentLimits(before);
  return Object.fromEntries(
    Object.entries(sentLimits(after)).filter(([name, value]) => String(value) !== String(known[name])),
  );
};

interface LimitFieldsProps {
  kind: KeyKind;
  limits: Limits;
  onChange(limits: Limits): void;
}

export function LimitFields({ kind, limits, onChange }: LimitFieldsProps) {
  const { developers, participants } = useTexts();
  const occurrences = useOccurrences();
  if (kind === 'MARKETPLACE') return null;
  return (
    <>
      <MultiSelect
        label={developers.onlyOccurrences}
        placeholder={limits.eventOccurrenceIds.length > 0 ? undefined : participants.anyEvent}
        searchable
        clearable
        data={occurrences}
        limit={100}
        value={limits.eventOccurrenceIds}
        onChange={(eventOccurrenceIds) => onChange({ ...limits, eventOccurrenceIds })}
      />
      {kind === 'ORGANIZER' && (
        <Checkbox
          label={developers.registrationOnly}
          description={developers.registrationOnlyHelp}
          checked={limits.registrationOnly}
          onChange={({ target }) => onChange({ ...limits, registrationOnly: target.checked })}
        />
      )}
    </>
  );
}

const DAY_MS = 86_400_000;
const dayOf = (at: number): string => new Date(at).toLocaleDateString('sv');

/** The end of a day in the browser's zone; `null` for no day. */
export const endOfDay = (day: string): string | null =>
  day ? new Date(`${day}T23:59:59`).toISOString() : null;

export function ExpiryField({
  label,
  day,
  onChange,
}: {
  label: string;
  day: string;
  onChange(day: string): void;
}) {
  const { developers } = useTexts();
  return (
    <TextInput
      type="date"
      label={label}
      description={developers.expiryHelp(HERE)}
      min={dayOf(Date.now())}
      max={dayOf(Date.now() + 3_650 * DAY_MS)}
      value={day}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
