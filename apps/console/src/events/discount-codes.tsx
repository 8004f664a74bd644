import { useCodeColumns } from '../partners/codes-page';
import { NewCode } from '../partners/new-code';
import { Card, Empty, List, SearchField, useFilters } from '../pieces';
import { useList } from '../session';
import { useTexts } from '../texts';

/** The codes that are valid for an occurrence, and how often each can still be used. */
export function DiscountCodes({
  id,
  zone,
  currency,
}: {
  id: string;
  zone: string;
  currency: string | undefined;
}) {
  const { events, partners } = useTexts();
  const { filters, cursor, set } = useFilters(['code'] as const);
  const search = filters.code;
  const query = { search, ...cursor, 'page[size]': 25 };
  const list = useList(
    ['occurrence', id, 'discount-codes', query],
    '/console/v1/event-occurrences/{id}/discount-codes',
    { path: { id }, query },
  );
  const columns = useCodeColumns(zone);
  const none = list.data?.data.length === 0;
  return (
    <Card title={partners.codes} actions={<NewCode eventOccurrenceId={id} zone={zone} currency={currency} />}>
      {!(none && !search) && (
        <div className="filters">
          <SearchField label={events.searchCodes} value={search} name="code" set={set} />
        </div>
      )}
      <List
        of={list}
        caption={partners.codes}
        columns={columns}
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
