import { Link } from 'wouter';
import type { StaffReferralProgram } from '../api';
import { Card, type Column, List } from '../pieces';
import { useGet } from '../session';
import { useTexts } from '../texts';

/** The referral programs of an occurrence; most have none or one. */
export function ReferralPrograms({ id }: { id: string }) {
  const { events, number } = useTexts();
  const list = useGet(
    ['occurrence', id, 'referral-programs'],
    '/console/v1/event-occurrences/{id}/referral-programs',
    { path: { id }, query: { 'page[size]': 100 } },
  );
  const count = (key: 'eligible' | 'redeemed' | 'cancelled'): Column<StaffReferralProgram> => ({
    title: events.referralStates[key],
    number: true,
    cell: ({ referrals }) => number(referrals[key]),
  });
  const columns: Column<StaffReferralProgram>[] = [
    {
      title: events.program,
      main: true,
      cell: (program) => (
        <Link className="row-link" to={`/partners/referrals/${program.id}`}>
          {program.title}
        </Link>
      ),
    },
    {
      title: events.referrers,
      number: true,
      cell: ({ referrers, activeReferrers }) => events.activeOf(activeReferrers, referrers),
    },
    count('eligible'),
    count('redeemed'),
    count('cancelled'),
  ];
  return (
    <Card title={events.referrals}>
      <List
        of={list}
        caption={events.referrals}
        columns={columns}
        expected={1}
        empty={<p className="dim">{events.noReferrals}</p>}
      />
    </Card>
  );
}
