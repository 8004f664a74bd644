import { Link } from 'wouter';
import type { StaffReferral } from '../api';
import { useEntryColumns } from '../applications/entry-columns';
import { Badge, type Column, Dash, Empty, List, Page, type Tone, useFilters } from '../pieces';
import { useList } from '../session';
import { useTexts } from '../texts';

const TONES: Record<StaffReferral['status'], Tone> = {
  ELIGIBLE: 'good',
  REDEEMED: 'plain',
  CANCELLED: 'bad',
};

/** The entries that were referred in a program, and by whom. */
export function ReferralsPage({ id }: { id: string }) {
  const { partners, events } = useTexts();
  const { cursor, set } = useFilters([]);
  const query = { ...cursor, 'page[size]': 50 };
  const list = useList(['referrals', id, query], '/console/v1/referral-programs/{id}/referrals', {
    path: { id },
    query,
  });
  const { name, booked, created } = useEntryColumns();
  const columns: Column<StaffReferral>[] = [
    name as Column<StaffReferral>,
    {
      title: partners.referredBy,
      cell: ({ referrerId, referrerName, code }) => (
        <>
          {referrerId ? <Link to={`/participants/${referrerId}`}>{referrerName ?? code}</Link> : <Dash />}
          <br />
          <code className="dim">{code}</code>
        </>
      ),
    },
    booked as Column<StaffReferral>,
    {
      title: events.referrals,
      cell: ({ status }) => <Badge tone={TONES[status]}>{partners.referralStates[status]}</Badge>,
    },
    created as Column<StaffReferral>,
  ];
  return (
    <Page title={events.referrals} up={{ to: '/events', text: events.title }}>
      <List
        of={list}
        caption={events.referrals}
        columns={columns}
        go={set}
        empty={<Empty title={partners.noReferrals}>{partners.noReferralsAdvice}</Empty>}
      />
    </Page>
  );
}
