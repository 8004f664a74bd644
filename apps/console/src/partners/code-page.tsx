import { Button } from '@mantine/core';
import { useState } from 'react';
import { useEntryColumns } from '../applications/entry-columns';
import { CodeState } from '../events/code-state';
import { History } from '../history/history';
import { Card, Facts, List, Page, Time, useFilters } from '../pieces';
import { useGet, useList, useSession } from '../session';
import { useTexts } from '../texts';
import { DiscountOf, UsesOf } from './codes-page';
import { EditCode } from './edit-code';

/** A discount code, and the entries of the bookings that used it. */
export function CodePage({ id }: { id: string }) {
  const { partners, events, participants } = useTexts();
  const { may } = useSession();
  const [editing, setEditing] = useState(false);
  const { cursor, set } = useFilters([]);
  const path = { id };
  const { data: code, error } = useGet(['codes', id], '/console/v1/discount-codes/{id}', { path });
  const query = { ...cursor, 'page[size]': 50 };
  const list = useList(['codes', id, 'entries', query], '/console/v1/discount-codes/{id}/entries', {
    path,
    query,
  });
  const { name, email, booked, state, created } = useEntryColumns();
  const up = { to: '/partners/codes', text: partners.codes };
  if (!code) return <Page title={events.code} up={up} error={error} />;
  return (
    <Page
      title={code.code}
      beside={<CodeState code={code} />}
      up={up}
      actions={
        may('OWNER', 'MANAGER') && (
          <Button variant="default" onClick={() => setEditing(true)}>
            {participants.edit}
          </Button>
        )
      }
    >
      <Card>
        <Facts
          facts={[
            [events.discount, <DiscountOf key="discount" code={code} />],
            [events.uses, <UsesOf key="uses" code={code} />],
            [events.title, code.everywhere ? events.everyEvent : events.namedEvents],
            [events.validFrom, <Time key="from" at={code.startDateTime} />],
            [events.validTo, <Time key="to" at={code.endDateTime} />],
            [events.group, code.group ?? undefined],
          ]}
        />
      </Card>
      <Card title={partners.usedBy}>
        <List
          of={list}
          caption={partners.usedBy}
          columns={[name, email, booked, state, created]}
          expected={5}
          go={set}
          empty={<p className="dim">{partners.unused}</p>}
        />
      </Card>
      <History subject={id} />
      {editing && <EditCode code={code} onClose={() => setEditing(false)} />}
    </Page>
  );
}
