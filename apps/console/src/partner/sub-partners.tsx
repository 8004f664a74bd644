import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Partner } from '../api';
import { PartnerForm } from '../partners/partner-form';
import { Card, type Column, Problem, Table, Time } from '../pieces';
import { useSession } from '../session';
import { useTexts } from '../texts';
import { usePartners } from './use-places';

/** The sub-partners, if there are any or may be. The organizer gives them places. */
export function SubPartners() {
  const { partner, participants, partners } = useTexts();
  const { me } = useSession();
  const [creating, setCreating] = useState(false);
  const { data, error } = usePartners();
  const own = data?.data.find(({ id }) => id === me.partner?.id);
  const subs = data?.data.filter(({ parentPartnerId }) => parentPartnerId === me.partner?.id) ?? [];
  if (error) return <Problem error={error} />;
  if (!own?.canCreateSubPartners && subs.length === 0) return null;
  const columns: Column<Partner>[] = [
    { title: participants.name, main: true, cell: ({ name }) => <strong>{name}</strong> },
    {
      title: partner.contact,
      cell: ({ contacts: [contact] }) =>
        contact ? `${contact.firstName} ${contact.lastName}, ${contact.email}` : '–',
    },
    { title: partners.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
  return (
    <Card
      title={partners.subPartners}
      actions={
        own?.canCreateSubPartners && (
          <Button variant="default" size="xs" onClick={() => setCreating(true)}>
            {partners.createSubShort}
          </Button>
        )
      }
    >
      <p className="dim">{partner.subHelp}</p>
      {subs.length > 0 && <Table caption={partners.subPartners} columns={columns} rows={subs} />}
      {creating && <PartnerForm parent={own} onClose={() => setCreating(false)} />}
    </Card>
  );
}
