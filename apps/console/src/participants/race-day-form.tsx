import { Button, Checkbox, Group, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { type Participant, type StaffParticipant, StartlineError } from '../api';
import { BibHolder } from '../desk/bib-holder';
import { Alert, Problem } from '../pieces';
import { useSession } from '../session';
import { useTexts } from '../texts';

const CHECK_IN = 'checkIn';

const isTaken = ({ code }: { code: string }) => code === 'BIB_NUMBER_TAKEN';

interface RaceDayFormProps {
  person: StaffParticipant;
  entry: Participant;
  readOnly: boolean;
  labelOf(id: string): string;
}

/** Sends only the values that were changed here, because others may have changed meanwhile. */
export function RaceDayForm({ person, entry, readOnly, labelOf }: RaceDayFormProps) {
  const { participants, save } = useTexts();
  const { api, organizationId } = useSession();
  const queries = useQueryClient();
  const [bib, setBib] = useState<string>();
  const [changes, setChanges] = useState<Record<string, unknown>>({});
  const update = useMutation({
    mutationFn: ({ bib, changes }: { bib?: string; changes: Record<string, unknown> }) =>
      api.patch('/console/v1/participants/{id}/race-day', {
        params: { path: { id: person.id } },
        body: {
          ...(bib !== undefined && { bibNumber: bib.trim() || null }),
          ...(Object.keys(changes).length > 0 && {
            customFields: Object.entries(changes).map(([id, value]) => ({ id, value })),
          }),
        } as never,
      }),
    onSuccess: async (_, sent) => {
      // Not what was changed meanwhile: the next request sends that.
      setBib((now) => (now === sent.bib ? undefined : now));
      setChanges((now) =>
        Object.fromEntries(Object.entries(now).filter(([id, value]) => value !== sent.changes[id])),
      );
      await queries.invalidateQueries({ queryKey: [organizationId, 'participant', person.id] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    update.mutate({ bib, changes });
  };
  const change = (id: string, value: unknown) => setChanges((before) => ({ ...before, [id]: value }));
  const { bibClaim, holder } = person.raceDayLog;
  const holderId =
    update.error instanceof StartlineError ? update.error.problems.find(isTaken)?.participantId : undefined;
  const changed = bib !== undefined || Object.keys(changes).length > 0;
  const others = entry.raceDayDetails.customFields.filter(({ id }) => id !== CHECK_IN);
  return (
    <form className="fields" onSubmit={submit}>
      {update.error && !holderId && <Problem error={update.error} />}
      {holderId && (
        <Alert>
          <BibHolder bib={bib ?? ''} holderId={holderId} />
          <Link to={`/participants/${holderId}`}>{participants.showHolder}</Link>
        </Alert>
      )}
      {person.cancelled && <p className="notice">{participants.notChangeable}</p>}
      {!person.cancelled && bibClaim && bibClaim !== person.bibNumber && (
        <p className="notice">{holder ? participants.bibTaken(bibClaim) : participants.bibWaits(bibClaim)}</p>
      )}
      <TextInput
        label={participants.bib}
        maxLength={20}
        readOnly={readOnly}
        value={bib ?? person.bibNumber ?? ''}
        onChange={({ target }) => setBib(target.value)}
      />
      <Checkbox
        label={participants.checkIn}
        disabled={readOnly}
        checked={Boolean(changes[CHECK_IN] ?? person.checkIn)}
        onChange={({ target }) => change(CHECK_IN, target.checked)}
      />
      {others.map(({ id, value }) => (
        <CustomField
          key={id}
          label={labelOf(id)}
          stored={value}
          value={id in changes ? changes[id] : value}
          readOnly={readOnly}
          onChange={(next) => change(id, next)}
        />
      ))}
      {!readOnly && (
        <Group gap="8px 16px">
          <Button type="submit" disabled={!changed} loading={update.isPending}>
            {save}
          </Button>
          <p role="status" className="dim">
            {update.isSuccess && !changed && participants.stored}
          </p>
        </Group>
      )}
    </form>
  );
}

interface CustomFieldProps {
  label: string;
  /** Before it was changed here. */
  stored: unknown;
  value: unknown;
  readOnly: boolean;
  onChange(value: unknown): void;
}

/** Keeps the type of a value: booleans stay booleans and numbers stay numbers, or become null. */
function CustomField({ label, stored, value, readOnly, onChange }: CustomFieldProps) {
  if (typeof value === 'boolean') {
    return (
      <Checkbox
        label={label}
        disabled={readOnly}
        checked={value}
        onChange={({ target }) => onChange(target.checked)}
      />
    );
  }
  const isNumber = typeof stored === 'number';
  const isJson = typeof value === 'object' && value !== null;
  return (
    <TextInput
      label={label}
      type={isNumber ? 'number' : 'text'}
      readOnly={readOnly || isJson}
      value={isJson ? JSON.stringify(value) : String(value ?? '')}
      onChange={({ target }) =>
        onChange(isNumber ? (target.value === '' ? null : target.valueAsNumber) : target.value)
      }
    />
  );
}
