import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { useEntryColumns } from '../applications/entry-columns';
import { Capacity } from '../events/capacity';
import { History } from '../history/history';
import { Card, CopiedId, Facts, List, Page, Time, useFilters } from '../pieces';
import { useGet, useList, useSession } from '../session';
import { useTexts } from '../texts';
import { GroupForm } from './group-form';

/** A reserved group: its places, deadline and settings, and who has its places. */
export function GroupPage({ id }: { id: string }) {
  const { partners, events, participants } = useTexts();
  const { may } = useSession();
  const [editing, setEditing] = useState(false);
  const { data: group, error } = useGet(['groups', id], '/console/v1/reserved-entry-groups/{id}', {
    path: { id },
  });
  const up = { to: '/partners/groups', text: partners.groups };
  if (!group) return <Page title={events.group} up={up} error={error} />;
  return (
    <Page
      title={group.name}
      beside={<code className="dim">{group.code}</code>}
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
            [partners.places, <Capacity key="places" {...group} />],
            [
              partners.partner,
              group.partnerId ? (
                <Link key="partner" to={`/partners/${group.partnerId}`}>
                  {group.partnerName}
                </Link>
              ) : undefined,
            ],
            [
              participants.event,
              <Link key="event" to={`/events/${group.eventOccurrenceId}`}>
                {group.eventTitle}
              </Link>,
            ],
            [partners.deadline, <Time key="deadline" at={group.deadline} zone={group.timeZone} />],
            [partners.useOf, partners.uses[group.type]],
            [partners.description, group.description ?? undefined],
            [participants.id, <CopiedId key="id" id={id} />],
            group.url !== null && [
              partners.link,
              <a key="url" href={group.url} rel="noreferrer">
                {group.url}
              </a>,
            ],
          ]}
        />
      </Card>
      <EntriesOfGroup id={id} />
      <History subject={id} zone={group.timeZone} />
      {editing && <GroupForm group={group} onClose={() => setEditing(false)} />}
    </Page>
  );
}

function EntriesOfGroup({ id }: { id: string }) {
  const { partners } = useTexts();
  const { cursor, set } = useFilters([]);
  const query = { ...cursor, 'page[size]': 50 };
  const list = useList(['groups', id, 'entries', query], '/console/v1/reserved-entry-groups/{id}/entries', {
    path: { id },
    query,
  });
  const { name, email, booked, state, created } = useEntryColumns();
  return (
    <Card title={partners.assignments}>
      <List
        of={list}
        caption={partners.assignments}
        columns={[name, email, booked, state, created]}
        expected={5}
        go={set}
        empty={<p className="dim">{partners.noAssignments}</p>}
      />
    </Card>
  );
}
