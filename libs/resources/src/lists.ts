import { Injectable } from '@nestjs/common';
import type { Caller } from '#libs/access';
import { Database, Replica, type RowReader, type TextRow, Watermark } from '#libs/database';
import { errors } from '#libs/errors';
import type { Cursor } from './cursor';
import { ItemBytes } from './item-bytes';
import { instantText } from './json-row';
import { JsonText } from './json-text';
import { filtersOf, type ListDeclaration } from './list-declaration';
import type { ListRequest } from './list-request';
import { type Bind, conditionsOf, rendering, writerOf } from './resource';

/** The total in a cursor is counted again after this time. */
const TOTAL_SECONDS = 60;

/** Rows in the order of a list that are searched for a page with a skewed filter, before all rows with its value are read. */
const NEARBY = 2_000;

/** Statements of lists suit any values of their parameters. */
const PLANNED = { planOnce: true };

/** The columns of a page's statement before those of the items. */
const [KEY, ID, TOTAL, BEYOND, ITEM] = [0, 1, 2, 3, 4];

/** Serves all lists. Keyset paging: the cost of a page does not depend on its position. */
@Injectable()
export class Lists {
  constructor(
    private readonly database: Database,
    private readonly watermark: Watermark,
    private readonly replica: Replica,
  ) {}

  /**
   * A page in the standard envelope, or in the marketplace's.
   *
   * @throws ApiError 404 if the parent does not exist
   */
  async page(list: ListDeclaration, request: ListRequest): Promise<JsonText> {
    if (list.of.ofEveryOrganization && this.database.nodes)
      return this.read(list, ...(await fromEveryNode(this.database, list, request)), this.watermark.now());
    return (
      (await this.replicated(list, request)) ??
      this.read(list, request, this.primary(list, request), await this.endOf(list, request))
    );
  }

  /**
   * The page from a replica. Only for lists that end at the watermark, which guarantee rows that were committed below it.
   * Other lists must show the latest writes, so the primary serves them.
   */
  private async replicated(list: ListDeclaration, request: ListRequest): Promise<JsonText | undefined> {
    if (!request.moves) return undefined;
    return this.replica.read(
      { organizationId: request.caller.organizationId, withMarketplace: list.of.ofEveryOrganization },
      (reader, watermark) => this.read(list, request, reader, watermark),
      pinnedOf(request),
    );
  }

  private async endOf({ of }: ListDeclaration, { caller }: ListRequest): Promise<string> {
    return of.ofEveryOrganization ? this.watermark.now() : this.watermark.of(caller.organizationId);
  }

  private primary({ of }: ListDeclaration, { caller }: ListRequest): RowReader {
    return this.database.of(caller.organizationId, of.ofEveryOrganization);
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
    const bytes = new ItemBytes();
    const rows = await reader.each(
      statement.text,
      statement.values,
      (row, columns) => ({ ...placed(row), item: bytes.add(writerOf(list.of, columns, ITEM)(row)) }),
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
      return request.cursors.encode(request.identity, cursor);
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
   * Every item of a list, in groups of `request.size`. Each group is read by its own statement when the previous one
   * was consumed, so no transaction or connection is held between them. If the order does not change, each item that
   * exists throughout is returned once.
   */
  async *walk(list: ListDeclaration, request: ListRequest): AsyncGenerator<string[], void> {
    const reader = this.database.of(request.caller.organizationId);
    const watermark = request.moves ? await this.endOf(list, request) : undefined;
    for (let at = request; ; ) {
      const { text, values } = new PageStatement(list, at, watermark, { bare: true });
      const rows = await reader.each(
        text,
        values,
        (row, columns) => ({ ...placed(row), item: writerOf(list.of, columns, ITEM)(row) }),
        PLANNED,
      );
      const hasMore = rows.length > request.size;
      if (hasMore) rows.pop();
      if (rows.length > 0) yield rows.map(({ item }) => item);
      if (!hasMore) return;
      at = { ...request, cursor: placeOf(rows[rows.length - 1] as Place, request) };
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
        ? request.cursors.encode(request.identity, beside(request.cursor, request))
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
      .of(caller.organizationId)
      .tuples(
        `SELECT 1 FROM ${within.parent} WHERE organization_id = $1 AND id = $2 ${within.parentWhere ?? ''}`,
        [caller.organizationId, withinId],
      );
    if (found.length > 0) return;
    if (within.parent === 'events') await this.refuseOccurrence(caller, withinId);
    throw errors.notFound();
  }

  /** An occurrence is often taken for its event. Only those of the caller's organization are named. */
  private async refuseOccurrence({ organizationId }: Caller, id: unknown): Promise<void> {
    const [found] = await this.database
      .of(organizationId)
      .tuples<[string]>('SELECT event_id FROM event_occurrences WHERE organization_id = $1 AND id = $2', [
        organizationId,
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

/**
 * A list of all organizations in a distributed database: the page of each node, merged. A node is asked for the rows that
 * are skipped too, because only the merged order says which ones these are.
 */
async function fromEveryNode(
  database: Database,
  list: ListDeclaration,
  asked: ListRequest,
): Promise<[ListRequest, RowReader]> {
  const { skip, size, descending, backward, sort } = asked;
  const { organizationId } = asked.caller;
  const request = { ...asked, skip: 0, readAhead: skip, usualSize: false };
  const total = async (text: string, values: unknown[]) => {
    const tables = await database.marketplace(organizationId, text, values);
    return tables.reduce((sum, { rows }) => sum + Number(rows[0]?.[0] ?? 0), 0);
  };
  const sign = descending !== backward ? -1 : 1;
  const place = (row: TextRow) => (sort.type === 'integer' ? Number(row[KEY]) : (row[KEY] as string));
  const inOrder = (a: TextRow, b: TextRow) => {
    const [x, y] = place(a) === place(b) ? [a[ID] as string, b[ID] as string] : [place(a), place(b)];
    return x < y ? -sign : sign;
  };
  const values: unknown[] = [];
  const count = countOf(list, request, (value) => `$${values.push(value)}`);
  const reader: RowReader = {
    tuples: async <Row extends unknown[]>(text: string, given: unknown[] = []) =>
      [[await total(text, given)]] as unknown as Row[],
    each: async (text, given, keep) => {
      const [tables, all] = await Promise.all([
        database.marketplace(organizationId, text, given),
        total(`SELECT ${count}`, values),
      ]);
      const rows = tables.flatMap((table) => table.rows).sort(inOrder);
      return rows.slice(skip, skip + size + 1).map((row) => {
        const counted = [...row];
        counted[TOTAL] = String(all);
        return keep(counted, tables[0]?.columns ?? []);
      });
    },
  };
  return [request, reader];
}

/** The SQL of a page. The text depends on the declaration and the parameters only, so that it stays prepared. */
class PageStatement {
  readonly values: unknown[] = [];
  readonly text: string;
  /** The total from the cursor, if it is recent enough. */
  readonly total: Cursor['total'];
  readonly pinnedWatermark: string | undefined;

  /** @param bare omits the total and the check for items on the other side of the cursor */
  constructor(
    list: ListDeclaration,
    request: ListRequest,
    readonly watermark: string | undefined,
    { bare = false }: { bare?: boolean } = {},
  ) {
    const { sort, descending, backward, cursor, size, usualSize, skip } = request;
    const bind: Bind = (value) => `$${this.values.push(value)}`;
    const skewed = skewedIn(list, request);
    const matching = matchingOf(list, request, bind, (name) => !skewed.includes(name));
    const searched = filteredBy(list, request, bind, skewed);
    const youngTotal =
      cursor?.total && Date.now() / 1000 - cursor.total.at < TOTAL_SECONDS ? cursor.total : undefined;
    this.total = counterOf(list, request) ? undefined : youngTotal;
    this.pinnedWatermark = sort.moves ? undefined : watermark;

    const from = rowsOf(list, request);
    const id = list.of.id ?? 't.id';
    const key = typeof sort.sql === 'string' ? sort.sql : sort.sql(bind, request.values);
    const onward = descending !== backward ? '<' : '>';
    const way = onward === '<' ? 'DESC' : 'ASC';
    // A row comparison, because PostgreSQL would estimate two comparisons of a column with any times as a range of few rows,
    // and sort all rows for a page. No id is less than zeros.
    const visible = watermark
      ? [
          ...matching,
          `(${list.times?.updatedAt ?? key}, ${id}) < (${bind(watermark)}::timestamptz, '00000000-0000-0000-0000-000000000000'::uuid)`,
        ]
      : matching;
    const here = cursor && `(${bind(cursor.key)}::${sort.type}, ${bind(cursor.id)}::uuid)`;
    /** The first rows that match, in order. */
    const inOrder = (what: string, conditions: string[], direction: string, rows: string) =>
      `SELECT ${what} FROM ${from} WHERE ${conditions.join(' AND ') || 'true'}
        ORDER BY ${key} ${direction}, ${id} ${direction} LIMIT ${rows}`;
    const keyed = `t.*, ${key} AS page_key, ${id} AS page_id`;
    /** The same with skewed filters: among the nearest rows, or else among all rows with the value. */
    const searchedFor = (conditions: string[], direction: string, rows: string) => `
      WITH near AS MATERIALIZED (
        SELECT * FROM (${inOrder(keyed, conditions, direction, `${NEARBY}`)}) t
        WHERE ${searched.join(' AND ')} ORDER BY page_key ${direction}, page_id ${direction} LIMIT ${rows}
      ), enough AS MATERIALIZED (SELECT count(*) >= ${rows} AS found FROM near)
      SELECT * FROM near WHERE (SELECT found FROM enough)
      UNION ALL
      (${inOrder(keyed, [...conditions, ...searched, 'NOT (SELECT found FROM enough)'], direction, rows)})`;
    // Whether there are items on the other side of the cursor, including its own row: reads the nearest one in order, because
    // EXISTS would search in any order.
    const [back, wayBack] = onward === '<' ? ['>=', 'ASC'] : ['<=', 'DESC'];
    const across = here ? [...visible, `(${key}, ${id}) ${back} ${here}`] : [];
    const behind =
      here &&
      !bare &&
      (skewed.length
        ? `SELECT page_id FROM (${searchedFor(across, wayBack, '1')}) found`
        : inOrder('true', across, wayBack, '1'));
    // A literal size lets PostgreSQL keep its generic plan: for a parameter it would assume a tenth of the table, and plan
    // every request again.
    const limit = usualSize ? `${size + 1}` : bind(size + 1 + (request.readAhead ?? 0));
    const wanted = here ? [...visible, `(${key}, ${id}) ${onward} ${here}`] : visible;
    const page = skewed.length
      ? searchedFor(wanted, way, limit)
      : inOrder(keyed, wanted, way, `${limit} ${skip > 0 ? `OFFSET ${bind(skip)}` : ''}`);
    const { joins, select } = rendering(list.of, request.values, bind, request.caller);
    this.text = `
      SELECT t.page_key, t.page_id,
        ${this.total || bare ? 'NULL' : `(SELECT ${countOf(list, request, bind)})`},
        ${behind ? `(${behind}) IS NOT NULL` : `${skip > 0}`},
        ${select}
      FROM (${page}) t ${joins}
      ORDER BY t.page_key ${way}, t.page_id ${way}`;
  }
}

/** The counter that has the total, which is then read with every page, and its subject. */
function counterOf(
  list: ListDeclaration,
  { filters, withinId, caller, values }: ListRequest,
): { kind: string; subject: (bind: Bind) => string } | undefined {
  const [name, another] = filters;
  if (name === undefined)
    return list.counter === undefined
      ? undefined
      : {
          kind: list.counter,
          subject: (bind) => bind(list.counts?.(caller) ?? withinId ?? caller.organizationId),
        };
  const counter = another === undefined && !list.within ? filtersOf(list)[name]?.counter : undefined;
  return counter && { kind: counter.kind, subject: (bind) => counter.subject(`${bind(values[name])}::text`) };
}

/** The names of the skewed filters of a request. */
const skewedIn = (list: ListDeclaration, { filters }: ListRequest): string[] =>
  filters.filter((name) => filtersOf(list)[name]?.skewed);

/** The table of the list, or the view that one of its filters needs. */
const rowsOf = (list: ListDeclaration, { values }: ListRequest): string =>
  Object.entries(filtersOf(list)).find(([name, { from }]) => from && values[name] !== undefined)?.[1].from ??
  list.of.from;

/** An expression for the total. */
function countOf(list: ListDeclaration, request: ListRequest, bind: Bind): string {
  const counter = counterOf(list, request);
  return counter
    ? `tally(${bind(request.caller.organizationId)}, '${counter.kind}', ${counter.subject(bind)})`
    : `(SELECT count(*) FROM ${rowsOf(list, request)} WHERE ${matchingOf(list, request, bind).join(' AND ') || 'true'})`;
}

/**
 * The conditions of the list, without the position of the page.
 *
 * @param includes whether to apply a filter
 */
function matchingOf(
  list: ListDeclaration,
  request: ListRequest,
  bind: Bind,
  includes: (filter: string) => boolean = () => true,
): string[] {
  const { caller, values, withinId, filters } = request;
  const where = typeof list.where === 'function' ? list.where(bind, values, caller) : list.where;
  return [
    ...conditionsOf(list.of, caller.organizationId, bind),
    ...(list.within ? [`${list.within.column} = ${bind(withinId)}`] : []),
    ...(where ? [where] : []),
    ...filteredBy(list, request, bind, filters.filter(includes)),
  ];
}

/** The conditions of some filters. */
function filteredBy(
  list: ListDeclaration,
  { values }: ListRequest,
  bind: Bind,
  names: readonly string[],
): string[] {
  const filters = filtersOf(list);
  return names.map((name) => {
    const where = filters[name]?.where;
    return typeof where === 'function'
      ? where(bind(values[name]), bind)
      : (where?.[String(values[name])] as string);
  });
}

function envelope(
  { envelope: shape }: ListDeclaration,
  items: Buffer[],
  totalResults: number,
  { first, last, prev, next }: Record<'first' | 'last' | 'prev' | 'next', string>,
  before: string | undefined,
): JsonText {
  const [name, page] =
    shape === 'brief'
      ? ['events', { totalResults, first, last }]
      : ['data', { totalResults, first, last, prev, next }];
  const pieces: (string | Buffer)[] = [`{"${name}":[`];
  for (const [i, item] of items.entries()) {
    if (i > 0) pieces.push(',');
    pieces.push(item);
  }
  pieces.push(`],"page":${JSON.stringify(page)}}`);
  return new JsonText(pieces, before);
}
