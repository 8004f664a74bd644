import { Injectable } from '@nestjs/common';
import { MARK } from '#libs/sheets';
import type { Caller } from '#platform/access';
import { type Actor, audit } from '#platform/access';
import { Database, statement } from '#platform/database';
import {
  type Cursors,
  filtersOf,
  type ListDeclaration,
  type ListRequest,
  Lists,
  listRequestOf,
  type Values,
} from '#platform/queries';
import { IDENTITY_KEYS } from '#platform/validation';
import { headerCell } from './csv';
import { CHOSEN_PARTICIPANTS, PARTICIPANTS } from './participants.resource';
import type { ChosenParticipants, ExportFormat } from './participants-export.dto';
import { csvOf, EXPORT_COLUMNS } from './participants-export.resource';
import { TIMING_CSV, timingHeader } from './timing-export.resource';
import { TIMING_PARTICIPANTS } from './timing-participants.resource';

export const EXPORT_TYPES: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

/** Participants of the first statement, before their size is known. */
const FIRST_GROUP = 10;

/** Ends of lines of Unicode, at which many programs divide text. In JSON they only occur in texts. */
const LINE_ENDS = /[\u0085\u2028\u2029]/g;
const escaped = (end: string): string => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Spreadsheets detect UTF-8 by it. */
const BYTE_ORDER_MARK = '\ufeff';

const QUESTIONS = statement({
  parameters: ['uuid', 'text[]'],
  columns: { id: 'uuid', key: 'text' },
  sql: `
    SELECT id, key FROM booking_form_fields WHERE organization_id = $1 AND key <> ALL ($2) ORDER BY created_at, id
  `,
  prepared: true,
});

@Injectable()
export class ParticipantsExport {
  constructor(
    private readonly database: Database,
    private readonly lists: Lists,
  ) {}

  /**
   * The filtered list as text. The last line contains the number of participants, so that a client without that line
   * knows that the rest is missing.
   *
   * @param values the request's parameters: `format`, and the list's filters
   * @throws ApiError 400 if a filter requires a missing feature
   */
  async begin(
    caller: Caller,
    values: Values,
    cursors: Cursors,
    by: Actor,
  ): Promise<AsyncGenerator<string, void>> {
    return this.all(PARTICIPANTS, caller, values, cursors, by);
  }

  /** Those that somebody chose; ids of no participant are left out. */
  async beginOf(
    caller: Caller,
    { participantIds, format }: ChosenParticipants,
    cursors: Cursors,
    by: Actor,
  ): Promise<AsyncGenerator<string, void>> {
    const values = { participantIds: participantIds.join(','), format };
    return this.all(CHOSEN_PARTICIPANTS, caller, values, cursors, by);
  }

  private async all(
    list: ListDeclaration,
    caller: Caller,
    values: Values,
    cursors: Cursors,
    by: Actor,
  ): Promise<AsyncGenerator<string, void>> {
    const request = await this.recorded(list, caller, values, cursors, by);
    if (values.format === 'ndjson') return this.ndjson(list, request);
    const { organizationId } = caller;
    const questions = await QUESTIONS.rows(this.database.of(caller), [organizationId, IDENTITY_KEYS]);
    const names = [...Object.keys(EXPORT_COLUMNS), ...questions.map(({ key }) => `answer.${key}`)];
    return this.csv(
      csvOf(
        list,
        questions.map(({ id }) => id),
      ),
      names,
      request,
    );
  }

  /** The same for the participants of a timing key, with what it may read. */
  async beginForTiming(
    caller: Caller,
    values: Values,
    cursors: Cursors,
    by: Actor,
  ): Promise<AsyncGenerator<string, void>> {
    const request = await this.recorded(TIMING_PARTICIPANTS, caller, values, cursors, by);
    return values.format === 'ndjson'
      ? this.ndjson(TIMING_PARTICIPANTS, request)
      : this.csv(TIMING_CSV, timingHeader(caller), request);
  }

  /** The request of all items, oldest first, after the export was recorded in the audit log. */
  private async recorded(
    list: ListDeclaration,
    caller: Caller,
    values: Values,
    cursors: Cursors,
    by: Actor,
  ): Promise<ListRequest> {
    const { format = 'csv', ...filters } = values;
    const asked = { ...filters, 'sort[createdAt]': '1', 'page[size]': FIRST_GROUP };
    const request = listRequestOf(list, caller, asked, {}, cursors);
    // Not the values: they may name a person, and the erasure of a person does not change the log.
    const given = Object.keys(filtersOf(list)).filter((name) => values[name] !== undefined);
    await this.database.of(caller.organizationId).transaction((manager) =>
      audit(manager, by, {
        organizationId: caller.organizationId,
        action: 'participant.export',
        objectType: 'participants',
        objectId: null,
        details: { format, filters: given },
      }),
    );
    return request;
  }

  private async *csv(
    list: ListDeclaration,
    names: readonly string[],
    request: ListRequest,
  ): AsyncGenerator<string, void> {
    yield `${BYTE_ORDER_MARK}${[...names, MARK].map(headerCell).join(',')}\r\n`;
    let rows = 0;
    for await (const lines of this.lists.walk(list, request)) {
      rows += lines.length;
      // The column of the mark is empty.
      yield `${lines.join(',\r\n')},\r\n`;
    }
    yield `#end,${rows}\r\n`;
  }

  private async *ndjson(list: ListDeclaration, request: ListRequest): AsyncGenerator<string, void> {
    let rows = 0;
    for await (const lines of this.lists.walk(list, request)) {
      rows += lines.length;
      yield `${lines.join('\n').replace(LINE_ENDS, escaped)}\n`;
    }
    yield `${JSON.stringify({ end: true, rows })}\n`;
  }
}
