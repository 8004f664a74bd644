import { Link } from 'wouter';
import type { StaffDiscountCode } from '../api';
import { CodeState } from '../events/code-state';
import { Money } from '../events/money';
import { type Column, Empty, List, Page, SearchField, Time, useFilters } from '../pieces';
import { useList } from '../session';
import { useTexts } from '../texts';
import { NewCode } from './new-code';

export function CodesPage() {
  const { partners, events, applications } = useTexts();
  const { filters, cursor, set } = useFilters(['search', 'partnerId'] as const);
  const query = { ...filters, ...cursor, 'page[size]': 50 };
  const list = useList(['codes', query], '/console/v1/discount-codes', { query });
  const filtered = Boolean(filters.search || filters.partnerId);
  return (
    <Page section="partners" actions={<NewCode />}>
      <search className="filters">
        <SearchField label={events.searchCodes} value={filters.search} set={set} />
      </search>
      <List
        of={list}
        caption={partners.codes}
        columns={useCodeColumns()}
        go={set}
        empty={
          <Empty title={filtered ? events.noCodesFound : events.noCodes}>
            {filtered ? applications.noneFoundAdvice : partners.noCodesAdvice}
          </Empty>
        }
      />
    </Page>
  );
}

export function DiscountOf({ code: { discount, appliesPer } }: { code: StaffDiscountCode }) {
  const { events, number } = useTexts();
  return (
    <span style={{ whiteSpace: 'nowrap' }}>
      {discount.type === 'PERCENTAGE' ? `${number(discount.amount)} %` : <Money price={discount.price} />}{' '}
      <span className="dim">{events.appliesPer[appliesPer]}</span>
    </span>
  );
}

export function UsesOf({ code: { usageCount, usesLeft } }: { code: StaffDiscountCode }) {
  const { events, number } = useTexts();
  return (
    <span style={{ whiteSpace: 'nowrap' }}>
      {number(usageCount)}{' '}
      <span className="dim">{usesLeft === null ? events.usesUnlimited : events.usesLeft(usesLeft)}</span>
    </span>
  );
}

/** The columns of a list of discount codes. */
export function useCodeColumns(zone?: string): Column<StaffDiscountCode>[] {
  const { events } = useTexts();
  return [
    {
      title: events.code,
      main: true,
      cell: ({ id, code, group }) => (
        <>
          <Link className="row-link mono" to={`/partners/codes/${id}`}>
            {code}
          </Link>{' '}
          {group && <span className="dim">{group}</span>}
        </>
      ),
    },
    { title: events.status, cell: (code) => <CodeState code={code} /> },
    { title: events.discount, cell: (code) => <DiscountOf code={code} /> },
    { title: events.uses, number: true, cell: (code) => <UsesOf code={code} /> },
    { title: events.title, cell: ({ everywhere }) => (everywhere ? events.everyEvent : events.namedEvents) },
    { title: events.validFrom, cell: ({ startDateTime }) => <Time at={startDateTime} zone={zone} /> },
    { title: events.validTo, cell: ({ endDateTime }) => <Time at={endDateTime} zone={zone} /> },
  ];
}
