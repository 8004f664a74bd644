import { Injectable } from '@nestjs/common';
import { Database, Replica, type RowReader, Watermark } from '#libs/database';
import { errors } from '#libs/errors';
import type { Cursor } from './cursor';
import { JsonText } from './json-text';
import { filtersOf, type ListDeclaration } from './list-declaration';
import type { ListRequest } from './list-request';
import { type Bind, conditionsOf, instant, rendering } from './resource';

/** The total in a cursor is counted again after this time. */
const TOTAL_SECONDS = 60;

type PageRow = [item: string, key: string, id: string, total: string | null, beyond: boolean];

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
    return (
      (await this.replicated(list, request)) ??
      this.read(list, request, this.primary(list, request), this.watermark.now())
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
    const rows = await reader.tuples<PageRow>(statement.text, statement.values);
    if (rows.length === 0) return this.emptyPage(list, request, reader);
    const hasMore = rows.length > request.size;
    if (hasMore) endPage(rows, list, request);
    const beyond = rows[0]?.[4] === true;
    const total = statement.total ?? { count: Number(rows[0]?.[3] ?? 0), at: Math.floor(Date.now() / 1000) };
    if (request.backward) rows.reverse();
    const cursorAt = ([, key, id]: PageRow) => {
      const cursor: Cursor = {
        key,
        id,
        watermark: statement.pinnedWatermark,
        ...(!hasCounter(list, request) && { total }),
      };
      return request.cursors.encode(request.identity, cursor);
    };
    const first = cursorAt(rows[0] as PageRow);
    const last = cursorAt(rows[rows.length - 1] as PageRow);
    return envelope(list, rows, total.count, {
      first,
      last,
      prev: (request.backward ? hasMore : beyond) ? first : '',
      next: (request.backward ? beyond : hasMore) ? last : '',
    });
  }

  /**
   * Every item of a list, in groups of `request.size`. Each group is read by its own statement when the previous one
   * was consumed, so no transaction or connection is held between them. If the order does not change, each item that
   * exists throughout is returned once.
   */
  async *walk(list: ListDeclaration, request: ListRequest): AsyncGenerator<string[], void> {
    const reader = this.database.of(request.caller.organizationId);
    const watermark = request.moves ? this.watermark.now() : undefined;
    for (let at = request; ; ) {
      const rows = await reader.tuples<PageRow>(
        ...new PageStatement(list, at, watermark, { bare: true }).asked,
      );
      const hasMore = rows.length > request.size;
      if (hasMore) rows.pop();
      if (rows.length > 0) yield rows.map(([item]) => item);
      if (!hasMore) return;
      const [, key, id] = rows[rows.length - 1] as PageRow;
      at = { ...request, cursor: { key, id } };
    }
  }

  private async emptyPage(list: ListDeclaration, request: ListRequest, reader: RowReader): Promise<JsonText> {
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
    return envelope(list, [], total, {
      first: '',
      last: '',
      prev: request.backward ? '' : back,
      next: request.backward ? back : '',
    });
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
    if (found.length === 0) throw errors.notFound();
  }
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
  rows: PageRow[],
  { times }: ListDeclaration,
  { sort, descending, backward }: ListRequest,
): void {
  const beyond = rows.pop();
  if (!times || !sort.moves || descending || backward) return;
  const whole = rows.findLastIndex(([, key]) => key !== beyond?.[1]) + 1;
  if (whole > 0) rows.length = whole;
}

/** The SQL of a page. The text depends on the declaration and the parameters only, so that it stays prepared. */
class PageStatement {
  readonly values: unknown[] = [];
  readonly text: string;
  /** The total from the cursor, if it is recent enough. */
  readonly total: Cursor['total'];
  readonly pinnedWatermark: string | undefined;

  get asked(): [text: string, values: unknown[]] {
    return [this.text, this.values];
  }

  /** @param bare omits the total and the check for items on the other side of the cursor */
  constructor(
    list: ListDeclaration,
    request: ListRequest,
    watermark: string | undefined,
    { bare = false }: { bare?: boolean } = {},
  ) {
    const { sort, descending, backward, cursor, size, usualSize, skip } = request;
    const bind: Bind = (value) => `$${this.values.push(value)}`;
    const matching = matchingOf(list, request, bind);
    const youngTotal =
      cursor?.total && Date.now() / 1000 - cursor.total.at < TOTAL_SECONDS ? cursor.total : undefined;
    this.total = hasCounter(list, request) ? undefined : youngTotal;
    this.pinnedWatermark = sort.moves ? undefined : watermark;

    const id = list.of.id ?? 't.id';
    const key = typeof sort.sql === 'string' ? sort.sql : sort.sql(bind, request.values);
    const onward = descending !== backward ? '<' : '>';
    const way = onward === '<' ? 'DESC' : 'ASC';
    const visible = watermark
      ? [...matching, `${list.times?.updatedAt ?? key} < ${bind(watermark)}::timestamptz`]
      : matching;
    const here = cursor && `(${bind(cursor.key)}::${sort.type}, ${bind(cursor.id)}::uuid)`;
    const wanted = here ? [...visible, `(${key}, ${id}) ${onward} ${here}`] : visible;
    // Whether there are items on the other side of the cursor, including its own row: reads the nearest one in order, because
    // EXISTS would search in any order.
    const [back, wayBack] = onward === '<' ? ['>=', 'ASC'] : ['<=', 'DESC'];
    const behind =
      here &&
      !bare &&
      `SELECT true FROM ${list.of.from} WHERE ${[...visible, `(${key}, ${id}) ${back} ${here}`].join(' AND ')}
        ORDER BY ${key} ${wayBack}, ${id} ${wayBack} LIMIT 1`;
    // A literal size lets PostgreSQL keep its generic plan: for a parameter it would assume a tenth of the table, and plan
    // every request again.
    const limit = usualSize ? size + 1 : bind(size + 1);
    const { joins, json } = rendering(list.of, request.values, bind, request.caller);
    this.text = `
      SELECT ${json}, ${sort.type === 'timestamptz' ? instant('t.page_key') : 't.page_key::text'}, t.page_id::text,
        ${this.total || bare ? 'NULL' : `(SELECT ${countOf(list, request, bind)})::text`},
        ${behind ? `(${behind}) IS NOT NULL` : `${skip > 0}`}
      FROM (
        SELECT t.*, ${key} AS page_key, ${id} AS page_id FROM ${list.of.from}
        WHERE ${wanted.join(' AND ') || 'true'}
        ORDER BY page_key ${way}, page_id ${way} LIMIT ${limit} ${skip > 0 ? `OFFSET ${bind(skip)}` : ''}
      ) t ${joins}
      ORDER BY t.page_key ${way}, t.page_id ${way}`;
  }
}

/** Whether a counter has the total, which is then read with every page. */
const hasCounter = ({ counter }: ListDeclaration, { unfiltered }: ListRequest) =>
  counter !== undefined && unfiltered;

/** An expression for the total. */
function countOf(list: ListDeclaration, request: ListRequest, bind: Bind): string {
  const { organizationId } = request.caller;
  return hasCounter(list, request)
    ? `tally(${bind(organizationId)}, '${list.counter}', ${bind(request.withinId ?? organizationId)})`
    : `(SELECT count(*) FROM ${list.of.from} WHERE ${matchingOf(list, request, bind).join(' AND ') || 'true'})`;
}

/** The conditions of the list, without the position of the page. */
function matchingOf(list: ListDeclaration, request: ListRequest, bind: Bind): string[] {
  const { caller, values, withinId } = request;
  const where = typeof list.where === 'function' ? list.where(bind, values, caller) : list.where;
  const filters = Object.entries(filtersOf(list)).filter(([name]) => values[name] !== undefined);
  return [
    ...conditionsOf(list.of, caller.organizationId, bind),
    ...(list.within ? [`${list.within.column} = ${bind(withinId)}`] : []),
    ...(where ? [where] : []),
    ...filters.map(([name, { where }]) =>
      typeof where === 'function' ? where(bind(values[name]), bind) : (where[String(values[name])] as string),
    ),
  ];
}

function envelope(
  { envelope: shape }: ListDeclaration,
  rows: PageRow[],
  totalResults: number,
  { first, last, prev, next }: Record<'first' | 'last' | 'prev' | 'next', string>,
): JsonText {
  const [name, page] =
    shape === 'brief'
      ? ['events', { totalResults, first, last }]
      : ['data', { totalResults, first, last, prev, next }];
  const pieces = [`{"${name}":[`];
  for (const [i, [item]] of rows.entries()) {
    if (i > 0) pieces.push(',');
    pieces.push(item);
  }
  pieces.push(`],"page":${JSON.stringify(page)}}`);
  return new JsonText(pieces);
}
