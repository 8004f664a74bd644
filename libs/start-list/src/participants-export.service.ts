import { Injectable } from '@nestjs/common';
import type { Caller } from '#libs/access';
import { type Actor, audit } from '#libs/audit';
import { Database, statement } from '#libs/database';
import {
  type Cursors,
  filtersOf,
  type ListRequest,
  Lists,
  listRequestOf,
  type Values,
} from '#libs/resources';
import { IDENTITY_KEYS } from './imported-answers';
import { PARTICIPANTS } from './participants.resource';
import { csvOf, EXPORT_COLUMNS, headerCell } from './participants-export.resource';

export const EXPORT_FORMATS = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const EXPORT_TYPES: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

/** Participants per statement. An export holds at most two such groups. */
const GROUP = 200;

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
    const { format = 'csv', ...filters } = values;
    const asked = { ...filters, 'sort[createdAt]': '1', 'page[size]': GROUP };
    const request = listRequestOf(PARTICIPANTS, caller, asked, {}, cursors);
    // Not the values: they may name a person, and the erasure of a person does not change the log.
    const given = Object.keys(filtersOf(PARTICIPANTS)).filter((name) => values[name] !== undefined);
    await this.database.of(caller.organizationId).transaction((manager) =>
      audit(manager, by, {
        organizationId: caller.organizationId,
        action: 'participant.export',
        objectType: 'participants',
        objectId: null,
        details: { format, filters: given },
      }),
    );
    return format === 'csv' ? this.csv(request) : this.ndjson(request);
  }

  private async *csv(request: ListRequest): AsyncGenerator<string, void> {
    const { organizationId } = request.caller;
    const questions = await QUESTIONS.rows(this.database.of(organizationId), [organizationId, IDENTITY_KEYS]);
    const names = [...Object.keys(EXPORT_COLUMNS), ...questions.map(({ key }) => `answer.${key}`)];
    yield `${BYTE_ORDER_MARK}${names.map(headerCell).join(',')}\r\n`;
    let rows = 0;
    for await (const lines of this.lists.walk(csvOf(questions.map(({ id }) => id)), request)) {
      rows += lines.length;
      yield `${lines.join('\r\n')}\r\n`;
    }
    yield `#end,${rows}\r\n`;
  }

  private async *ndjson(request: ListRequest): AsyncGenerator<string, void> {
    let rows = 0;
    for await (const lines of this.lists.walk(PARTICIPANTS, request)) {
      rows += lines.length;
      yield `${lines.join('\n')}\n`;
    }
    yield `${JSON.stringify({ end: true, rows })}\n`;
  }
}
