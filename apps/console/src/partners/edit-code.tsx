import { Button } from '@mantine/core';
import { useState } from 'react';
import type { StaffDiscountCode } from '../api';
import { InstantField, NumberField } from '../events/edit/form-field';
import { FormDialog, HERE } from '../pieces';
import { serverTime } from '../server-clock';
import { useChange, useSession } from '../session';
import { useTexts } from '../texts';

/** Raises the limit of a discount code, or ends it. Uses that were made stay. */
export function EditCode({ code: now, onClose }: { code: StaffDiscountCode; onClose(): void }) {
  const { codeForm: words, events, save, zone } = useTexts();
  const { api } = useSession();
  // The page reads the code again meanwhile, and what was not changed here may have been changed elsewhere.
  const [code] = useState(now);
  const [limitUsage, setLimit] = useState<unknown>(code.limitUsage ?? undefined);
  const [end, setEnd] = useState(code.endDateTime ?? '');
  const hasBegun = !code.startDateTime || Date.parse(code.startDateTime) < serverTime().getTime();
  const change = useChange(
    (endsAt: string) =>
      api.patch('/console/v1/discount-codes/{id}', {
        params: { path: { id: code.id } },
        body: {
          ...(limitUsage !== (code.limitUsage ?? undefined) && {
            limitUsage: (limitUsage ?? null) as number,
          }),
          ...(endsAt !== (code.endDateTime ?? '') && {
            endDateTime: endsAt ? new Date(endsAt).toISOString() : null,
          }),
        },
      }),
    [],
    onClose,
  );
  return (
    <FormDialog
      title={code.code}
      action={save}
      change={change}
      onSubmit={() => change.mutate(end)}
      onClose={onClose}
    >
      <NumberField
        label={words.limitUsage}
        description={words.raiseHelp}
        whole
        value={limitUsage}
        onChange={setLimit}
      />
      <InstantField
        label={events.validTo}
        description={zone(HERE)}
        zone={HERE}
        value={end}
        onChange={(at) => setEnd(String(at ?? ''))}
      />
      {/* A code ends after it began. */}
      {hasBegun && (
        <Button variant="default" onClick={() => change.mutate(serverTime().toISOString())}>
          {words.endNow}
        </Button>
      )}
    </FormDialog>
  );
}
