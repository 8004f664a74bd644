import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { StaffDiscountCode } from '../api';
import { Icon } from '../pieces/icons';
import { List } from '../pieces/list';
import { Card, Empty } from '../pieces/page';
import type { Column } from '../pieces/table';
import { Time } from '../pieces/time';
import { useFilters } from '../pieces/use-filters';
import { useSession } from '../session/session';
import { useTexts } from '../texts';
import { Money } from './money';

const TYPING_MS = 250;

/** The codes that are valid for an occurrence, and how often each can still be used. */
export function DiscountCodes({ id, zone }: { id: string; zone: string }) {
  const { events, number } = useTexts();
  const { api, organizationId } = useSession();
  const { filters, cursor, set } = useFilters(['code'] as const);
  const [typed, setTyped] = useState(filters.code ?? '');
  const [search] = useDebouncedValue(typed.trim(), TYPING_MS);
  const query = { search: search || undefined, ...cursor, 'page[size]': 25 };
  const list = useQuery({
    queryKey: [organizationId, 'occurrence', id, 'discount-codes', query],
    queryFn: ({ signal }) =>
      api.get('/console/v1/event-occurrences/{id}/discount-codes', {
        params: { path: { id }, query },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
  const columns: Column<StaffDiscountCode>[] = [
    {
      key: 'code',
      title: events.code,
      main: true,
      cell: ({ code, group }) => (
        <>
          <code className="strong">{code}</code> {group && <span className="dim">{group}</span>}
        </>
      ),
    },
    {
      key: 'discount',
      title: events.discount,
      cell: ({ discount, appliesPer }) => (
        <span className="line">
          {discount.type === 'PERCENTAGE' ? `${number(discount.amount)} %` : <Money price={discount.price} />}{' '}
          <span className="dim">{events.appliesPer[appliesPer]}</span>
        </span>
      ),
    },
    {
      key: 'uses',
      title: events.uses,
      number: true,
      cell: ({ usageCount, usesLeft }) => (
        <span className="line">
          {number(usageCount)}{' '}
          <span className="dim">{usesLeft === null ? events.usesUnlimited : events.usesLeft(usesLeft)}</span>
        </span>
      ),
    },
    {
      key: 'events',
      title: events.validFor,
      cell: ({ everywhere }) => (everywhere ? events.everyEvent : events.namedEvents),
    },
    {
      key: 'from',
      title: events.validFrom,
      cell: ({ startDateTime }) => <Time at={startDateTime} zone={zone} />,
    },
    { key: 'to', title: events.validTo, cell: ({ endDateTime }) => <Time at={endDateTime} zone={zone} /> },
  ];
  const none = list.data?.data.length === 0;
  return (
    <Card title={events.codes}>
      {!(none && !search) && (
        <div className="filters">
          <TextInput
            className="filters-search"
            type="search"
            aria-label={events.searchCodes}
            placeholder={events.searchCodes}
            leftSection={<Icon name="search" />}
            maxLength={100}
            value={typed}
            onChange={({ target }) => {
              setTyped(target.value);
              set({ code: target.value }, { replace: true });
            }}
          />
        </div>
      )}
      <List
        of={list}
        caption={events.codes}
        columns={columns}
        keyOf={(row) => row.id}
        expected={3}
        go={set}
        empty={
          <Empty title={search ? events.noCodesFound : events.noCodes}>
            {search ? events.noneFoundAdvice : events.noCodesAdvice}
          </Empty>
        }
      />
    </Card>
  );
}
