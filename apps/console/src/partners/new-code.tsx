import { Button, MultiSelect, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type DiscountCodeImportRow, type StaffImportRow, StartlineError } from '../api';
import { DiscountField } from '../events/edit/amounts';
import { InstantField, NumberField } from '../events/edit/form-field';
import { readRows } from '../imports/rows/read-rows';
import { useRefusals } from '../participants/edit/use-refusals';
import { FormDialog, HERE } from '../pieces';
import { useChange, useSession } from '../session';
import { useTexts } from '../texts';
import { idempotencyKey } from '../upload/idempotency-key';
import { useOccurrences, useTickets } from '../upload/use-occurrences';
import { importCodes } from './import-codes';
import { PartnerSelect } from './partner-select';

/** As it is typed: what cannot be read stays a text, which the API refuses. */
type Typed = { [Name in keyof DiscountCodeImportRow]?: unknown };

const FIELDS = [
  ...['code', 'discount', 'appliesPer', 'limitUsagePerTransaction', 'limitUsage', 'group', 'partnerId'],
  ...['eventOccurrenceIds', 'ticketIds', 'startDateTime', 'endDateTime'],
];

interface NewCodeProps {
  /** The event for which the code is made; it can be made for others too. */
  eventOccurrenceId?: string;
  zone?: string;
  /** The usual one. */
  currency?: string;
}

/** The button, and the form that it opens. */
export function NewCode(props: NewCodeProps) {
  const { codeForm: words } = useTexts();
  const { may } = useSession();
  const [open, setOpen] = useState(false);
  if (!may('OWNER', 'MANAGER')) return null;
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {words.create}
      </Button>
      {open && <CodeForm {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Creates one discount code: an import of one row, as programs send it. */
function CodeForm({
  eventOccurrenceId,
  zone,
  currency = 'EUR',
  onClose,
}: NewCodeProps & { onClose(): void }) {
  const { codeForm: words, events, zone: inZone, partners } = useTexts();
  const { api } = useSession();
  const [form] = useState(() => crypto.randomUUID());
  const [attempt, setAttempt] = useState(0);
  const [typed, setTyped] = useState<Typed>({
    discount: { type: 'PERCENTAGE', isAppliedToBookingFee: false },
    ...(eventOccurrenceId && { eventOccurrenceIds: [eventOccurrenceId] }),
  });
  const occurrences = useOccurrences();
  const chosen = (typed.eventOccurrenceIds ?? []) as string[];
  const one = chosen.length === 1 ? chosen[0] : undefined;
  const { tickets } = useTickets(one);
  // The times of a code for one event are local to it; of others, they are those of the person who types them.
  const ofOne = one ? (occurrences.find(({ value }) => value === one)?.timeZone ?? zone) : undefined;
  const shownZone = ofOne ?? HERE;
  const instant = (time: unknown) => (time && !ofOne ? new Date(String(time)).toISOString() : time);
  const create = useChange(
    async () => {
      const row = {
        ...typed,
        code: String(typed.code ?? '').trim(),
        startDateTime: instant(typed.startDateTime),
        endDateTime: instant(typed.endDateTime),
      } as unknown as DiscountCodeImportRow;
      // What was sent and not answered is sent again as the same import.
      const key = await idempotencyKey('new-code', [form, attempt, row]);
      const job = await importCodes(api, [row], { key, name: row.code });
      setAttempt(attempt + 1);
      if (job.alreadyImportedRows > 0) throw refusal('code', 'EXISTS', words.exists);
      await readRows(api, job.jobId, { outcome: 'FAILED' }, ([failed]: StaffImportRow[]) => {
        if (failed?.error) throw refusal(failed.error.path ?? '', failed.error.code, failed.error.message);
      });
      if (job.succeededRows === 0) throw refusal('', job.status, job.failure ?? '');
    },
    [],
    onClose,
  );
  const refusals = useRefusals(create.error, FIELDS);
  const set = (changes: Typed) =>
    setTyped((now) => {
      const entries = Object.entries({ ...now, ...changes });
      return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== ''));
    });
  const text = (name: 'code' | 'group', most = 255) => ({
    maxLength: most,
    value: String(typed[name] ?? ''),
    error: refusals.of(name),
    onChange: ({ target }: { target: { value: string } }) => set({ [name]: target.value }),
  });
  const listed = (name: 'eventOccurrenceIds' | 'ticketIds') => ({
    searchable: true,
    limit: 100,
    value: (typed[name] ?? []) as string[],
    error: refusals.of(name),
  });
  return (
    <FormDialog
      wide
      title={words.title}
      action={words.create}
      pending={create.isPending}
      error={refusals.rest}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <div className="tiles">
        <TextInput
          {...text('code')}
          label={events.code}
          description={words.codeHelp}
          required
          data-autofocus
        />
        <Select
          label={words.appliesPer}
          data={Object.entries(words.per).map(([value, label]) => ({ value, label }))}
          error={refusals.of('appliesPer')}
          value={String(typed.appliesPer ?? 'TRANSACTION')}
          onChange={(appliesPer) =>
            set({
              appliesPer: appliesPer ?? undefined,
              ...(appliesPer !== 'ENTRY' && { limitUsagePerTransaction: undefined }),
            })
          }
        />
        <div className="form-wide">
          <DiscountField
            label={events.discount}
            required
            currency={currency}
            error={refusals.of('discount')}
            value={typed.discount}
            onChange={(discount) => set({ discount })}
          />
        </div>
        <NumberField
          label={words.limitUsage}
          description={words.limitHelp}
          whole
          error={refusals.of('limitUsage')}
          value={typed.limitUsage}
          onChange={(limitUsage) => set({ limitUsage })}
        />
        {typed.appliesPer === 'ENTRY' && (
          <NumberField
            label={words.limitPerBooking}
            description={words.limitHelp}
            whole
            error={refusals.of('limitUsagePerTransaction')}
            value={typed.limitUsagePerTransaction}
            onChange={(limitUsagePerTransaction) => set({ limitUsagePerTransaction })}
          />
        )}
        <InstantField
          label={events.validFrom}
          description={inZone(shownZone)}
          zone={shownZone}
          error={refusals.of('startDateTime')}
          value={String(typed.startDateTime ?? '')}
          onChange={(startDateTime) => set({ startDateTime })}
        />
        <InstantField
          label={events.validTo}
          description={inZone(shownZone)}
          zone={shownZone}
          error={refusals.of('endDateTime')}
          value={String(typed.endDateTime ?? '')}
          onChange={(endDateTime) => set({ endDateTime })}
        />
        <MultiSelect
          {...listed('eventOccurrenceIds')}
          className="form-wide"
          label={events.title}
          description={words.eventsHelp}
          data={occurrences}
          onChange={(ids) =>
            set({ eventOccurrenceIds: ids.length > 0 ? ids : undefined, ticketIds: undefined })
          }
        />
        {tickets.length > 0 && (
          <MultiSelect
            {...listed('ticketIds')}
            className="form-wide"
            label={events.tickets}
            description={words.ticketsHelp}
            data={tickets.map(({ value, label }) => ({ value, label }))}
            onChange={(ids) => set({ ticketIds: ids.length > 0 ? ids : undefined })}
          />
        )}
        <TextInput {...text('group')} label={words.group} />
        <PartnerSelect
          label={partners.partner}
          clearable
          error={refusals.of('partnerId')}
          value={(typed.partnerId as string | undefined) ?? null}
          onChange={(partnerId) => set({ partnerId: partnerId ?? undefined })}
        />
      </div>
    </FormDialog>
  );
}

const refusal = (path: string, code: string, message: string) =>
  new StartlineError(400, 'Bad Request', message, undefined, undefined, [{ path, code, message } as never]);
