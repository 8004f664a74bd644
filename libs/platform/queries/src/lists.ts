import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '#platform/access';
import { SETTINGS, type Settings } from '#platform/config';
import { Database, Replica, type RowReader, type TextRow, Watermark } from '#platform/database';
import { errors } from '#platform/validation';
import type { Cursor } from './cursor';
import { fromEveryNode } from './every-node';
import { ItemBytes } from './item-bytes';
import { instantText } from './json-row';
import { JsonText } from './json-text';
import type { ListDeclaration } from './list-declaration';
import type { ListRequest } from './list-request';
import { BEYOND, ID, ITEM, KEY, PageStatement, TOTAL } from './page-statement';
import { writerOf } from './resource';
import { counterOf, countOf } from './total';

/** The most items of a group of a walk, and about its characters. */
const GROUP_ITEMS = 50;
const GROUP_CHARACTERS = 500_000;

/** Statements of lists suit any values of their parameters. */
const PLANNED = { planOnce: true };

/** Serves all lists. Keyset paging: the cost of a page does not depend on its position. */
@Injectable()
export class Lists {
  constructor(
    private readonly database: Database,
    private readonly watermark: Watermark,
    private readonly replica: Replica,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * A page in the standard envelope, or in the marketplace's.
   *
   * @throws ApiError 404 if the parent does not exist
   */
  async page(list: ListDeclaration, asked: ListRequest): Promise<JsonText> {
    const request = this.request(asked);
    if (list.of.ofEveryOrganization && this.database.nodes)
      return this.read(list, ...(await fromEveryNode(this.database, list, request)), this.watermark.now());
    return (
      (await this.replicated(list, request)) ??
      this.read(list, request, this.primary(list, request), await this.endOf(list, request))
    );
  }

  private request(asked: ListRequest): ListRequest {
    return { ...asked, erasureSecret: this.settings.ERASURE_SECRET };
  }

  /**
   * The page from a replica. Only for lists that end at the watermark, which guarantee rows that were committed below it.
   * Other lists must show the latest writes, so the primary serves them.
   */
  private async replicated(list: ListDeclaration, request: ListRequest): Promise<JsonText | undefined> {
    if (!request.moves) return undefined;
    return this.replica.read(
      {
        organizationId: request.caller.organizationId,
        partnerId: request.caller.partner?.id,
        withMarketplace: list.of.ofEveryOrganization,
      },
      (reader, watermark) => this.read(list, request, reader, watermark),
      pinnedOf(request),
    );
  }

  private async endOf({ of }: ListDeclaration, { caller }: ListRequest): Promise<string> {
    return of.ofEveryOrganization ? this.watermark.now() : this.watermark.of(caller.organizationId);
  }

  private primary({ of }: ListDeclaration, { caller }: ListRequest): RowReader {
    return this.database.of(caller, of.ofEveryOrganization);
  }

  private async read(
    list: ListDeclaration,
    request: ListRequest,
    reader: RowReader,
    watermark: string,
  ): Promise<JsonText> {
    const statement = new PageStatement(
      list,
      request,
      request.moves ? (pinnedOf(request) ?? watermark) : undefined,
    );
    const items = new ItemBytes();
    const rows = await reader.each(
      statement.text,
      statement.values,
      // As bytes: strings that live until the whole page has arrived would only be freed by a full garbage collection.
      (row, columns) => ({ ...placed(row), item: items.add(writerOf(list.of, columns, ITEM)(row)) }),
      PLANNED,
    );
    if (rows.length === 0) return this.emptyPage(list, request, reader, statement.watermark);
    const hasMore = rows.length > request.size;
    if (hasMore) endPage(rows, list, request);
    const beyond = rows[0]?.beyond === 't';
    const total = statement.total ?? {
      count: Number(rows[0]?.total ?? 0),
      at: Math.floor(Date.now() / 1000),
    };
    if (request.backward) rows.reverse();
    const cursorAt = (row: Place) => {
      const cursor: Cursor = {
        ...placeOf(row, request),
        watermark: statement.pinnedWatermark,
        ...(!counterOf(list, request) && { total }),
      };
      return request.cursors.encode(request.identity, request.sort.type, cursor);
    };
    const first = cursorAt(rows[0] as Place);
    const last = cursorAt(rows[rows.length - 1] as Place);
    // A total that an earlier page counted need not be that of any version.
    const before = statement.total ? '' : statement.watermark;
    return envelope(
      list,
      rows.map(({ item }) => item),
      total.count,
      {
        first,
        last,
        prev: (request.backward ? hasMore : beyond) ? first : '',
        next: (request.backward ? beyond : hasMore) ? last : '',
      },
      before,
    );
  }

  /**
   * Every item of a list, in groups. The first one has `request.size` items, and the others about GROUP_CHARACTERS, because a group
   * is in memory as a whole. Each group is read by its own statement when the previous one was consumed, so no transaction or connection is
   * held between them. If the order does not change, each item that exists throughout is returned once.
   */
  async *walk(list: ListDeclaration, asked: ListRequest): AsyncGenerator<string[], void> {
    const request = this.request(asked);
    const reader = this.database.of(request.caller);
    const watermark = request.moves ? await this.endOf(list, request) : undefined;
    for (let at = request; ; ) {
      const { text, values } = new PageStatement(list, at, watermark, { bare: true });
      const rows = await reader.each(
        text,
        values,
        (row, columns) => ({ ...placed(row), item: writerOf(list.of, columns, ITEM)(row) }),
        PLANNED,
      );
      const hasMore = rows.length > at.size;
      if (hasMore) rows.pop();
      if (rows.length > 0) yield rows.map(({ item }) => item);
      if (!hasMore) return;
      const characters = rows.reduce((sum, { item }) => sum + item.length, 0);
      const fitting = Math.max(1, Math.floor((GROUP_CHARACTERS * rows.length) / characters));
      at = {
        ...request,
        size: Math.min(GROUP_ITEMS, fitting),
        usualSize: false,
        cursor: placeOf(rows[rows.length - 1] as Place, request),
      };
    }
  }

  private async emptyPage(
    list: ListDeclaration,
    request: ListRequest,
    reader: RowReader,
    before: string | undefined,
  ): Promise<JsonText> {
    await this.requireParent(list, request);
    const values: unknown[] = [];
    const count = countOf(list, request, (value) => `$${values.push(value)}`);
    const [row] = await reader.tuples<[string]>(`SELECT ${count}`, values);
    const total = Number(row?.[0] ?? 0);
    // There are no items beyond the cursor, so all items are on its other side.
    const back =
      request.cursor && total > 0
        ? request.cursors.encode(request.identity, request.sort.type, beside(request.cursor, request))
        : '';
    return envelope(
      list,
      [],
      total,
      {
        first: '',
        last: '',
        prev: request.backward ? '' : back,
        next: request.backward ? back : '',
      },
      before,
    );
  }

  /** On the primary, because the parent may have just been created. */
  private async requireParent({ within }: ListDeclaration, { caller, withinId }: ListRequest): Promise<void> {
    if (!within?.parent) return;
    const found = await this.database
      .of(caller)
      .tuples(
        `SELECT 1 FROM ${within.parent} WHERE organization_id = $1 AND id = $2 ${within.parentWhere ?? ''}`,
        [caller.organizationId, withinId],
      );
    if (found.length > 0) return;
    if (within.parent === 'events') await this.refuseOccurrence(caller, withinId);
    throw errors.notFound();
  }

  /** An occurrence is often taken for its event. Only those of the caller's organization are named. */
  private async refuseOccurrence(caller: Caller, id: unknown): Promise<void> {
    const [found] = await this.database
      .of(caller)
      .tuples<[string]>('SELECT event_id FROM event_occurrences WHERE organization_id = $1 AND id = $2', [
        caller.organizationId,
        id,
      ]);
    if (found) throw errors.occurrenceForEvent(found[0]);
  }
}

/** What a page needs of a row besides its item. */
interface Place {
  key: string;
  id: string;
  total: string | null | undefined;
  beyond: string | null | undefined;
}

const placed = (row: TextRow): Place => ({
  key: row[KEY] as string,
  id: row[ID] as string,
  total: row[TOTAL],
  beyond: row[BEYOND],
});

/** The place of a row in the order of its list. */
function placeOf({ key, id }: Place, { sort }: ListRequest): Cursor {
  return { key: sort.type === 'timestamptz' ? instantText(key) : key, id };
}

/** The cursor with the next id, so that paging back from it includes the item of the cursor. */
function beside(cursor: Cursor, { descending, backward }: ListRequest): Cursor {
  const step = descending === backward ? 1n : -1n;
  const digits = (BigInt(`0x${cursor.id.replaceAll('-', '')}`) + step).toString(16).padStart(32, '0');
  return { ...cursor, id: digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') };
}

/**
 * Pinned for the whole walk if the order is by creation but a filter uses changes. Otherwise it advances, and the walk
 * includes items again that changed meanwhile.
 */
const pinnedOf = ({ sort, cursor }: ListRequest): string | undefined =>
  sort.moves ? undefined : cursor?.watermark;

/**
 * Removes the row beyond the page. A client that continues from the highest `updatedAt` would miss other rows of the same
 * microsecond, so a page by `updatedAt` ends before such a microsecond, unless the page contains nothing else.
 */
function endPage(
  rows: Place[],
  { times }: ListDeclaration,
  { sort, descending, backward }: ListRequest,
): void {
  const beyond = rows.pop();
  if (!times || !sort.moves || descending || backward) return;
  const whole = rows.findLastIndex(({ key }) => key !== beyond?.key) + 1;
  if (whole > 0) rows.length = whole;
}

function envelope(
  { envelope: shape }: ListDeclaration,
  items: Buffer[],
  totalResults: number,
  cursors: Record<'first' | 'last' | 'prev' | 'next', string>,
  before: string | undefined,
): JsonText {
  const [name, page] =
    shape === 'brief'
      ? ['events', { totalResults, first: cursors.first, last: cursors.last }]
      : ['data', { totalResults, ...cursors }];
  // Items end with a comma.
  const last = items.pop()?.subarray(0, -1) ?? '';
  return new JsonText([`{"${name}":[`, ...items, last, `],"page":${JSON.stringify(page)}}`], before);
}
