import { instant, type ListDeclaration, type Part } from '#libs/resources';
import { IDENTITY_KEYS } from './imported-answers';
import { PARTICIPANT, PARTICIPANTS } from './participants.resource';

/** Joins lists with semicolons; other values do not change. */
const asText = (json: string): string => `CASE json_typeof(${json})
    WHEN 'array' THEN (SELECT string_agg(value, '; ') FROM json_array_elements_text(${json}))
    ELSE ${json} #>> '{}' END`;

const answerTo = (key: string): string =>
  `(SELECT answer->>'value' FROM json_array_elements(t.fields) answer WHERE answer->>'key' = '${key}' LIMIT 1)`;

/** The columns of the CSV in order: SQL over the properties of a Participant, `item`, and the entry, `t`. */
export const EXPORT_COLUMNS: Readonly<Record<string, string>> = {
  participantId: 'item."id"',
  applicationId: 'item."applicationId"',
  bookingId: 'item."bookingId"',
  externalBookingId: 'item."externalBookingId"',
  externalParticipantId: 'item."externalParticipantId"',
  eventName: 'item."eventName"',
  eventOccurrenceId: 'item."eventOccurrenceId"',
  raceId: 'item."raceId"',
  raceName: 'item."raceName"',
  ticketId: 'item."ticketId"',
  ticketTitle: 'item."ticketTitle"',
  bibNumber: 'item."bibNumber"',
  ...Object.fromEntries(IDENTITY_KEYS.map((key) => [key, answerTo(key)])),
  wave: 'item."waves[].title"',
  team: 'item."team?.name"',
  tags: `array_to_string(item."tags", '; ')`,
  bookerFirstName: 'item."booker.firstName"',
  bookerLastName: 'item."booker.lastName"',
  bookerEmail: 'item."booker.email"',
  bookerPhone: 'item."booker.phone"',
  bookingSource: 'item."bookingSource"',
  originalTicketPrice: 'trim_scale(round(item."originalTicketPrice?.value" / 100.0, 2))',
  currencyCode: 'item."originalTicketPrice?.currencyCode"',
  discountCodes: `nullif(array_to_string(item."bookingCodesUsed.discountCodes", '; '), '')`,
  shippingStatus: 'item."raceDayDetails.shipping?.status"',
  cancelled: 't.cancelled_at IS NOT NULL',
  gdprRedacted: 'item."gdprRedacted"',
  createdAt: instant('item."createdAt"'),
  updatedAt: instant('item."updatedAt"'),
};

/** What spreadsheets treat as the start of a formula, including full-width characters, after any apostrophes. */
const FORMULA = `'*[=+\\-@＝＋－＠]`;
/**
 * Where a spreadsheet may begin a cell: at the start, or behind a character that separates cells or rows where commas do not. Quotes
 * and spaces may follow.
 */
const START = '(^|[;|\\t\\r\\n])([ "]*)';
const BEHIND = `${START}(${FORMULA})`;
const AT_START = "^('*[\\t\\r\\n])";

const literal = (pattern: string): string => `E'${pattern.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

/**
 * According to RFC 4180. Each formula gets one apostrophe more before it, so that whoever takes exactly one off has the text again. The
 * time is proportional to the length, because no pattern reads over a separator.
 */
const CELL = `CASE WHEN v IS NULL THEN '' ELSE '"' || replace(CASE WHEN v ~ ${literal(`${BEHIND}|${AT_START}`)}
    THEN regexp_replace(
      regexp_replace(v, ${literal(BEHIND)}, ${literal("\\1\\2'\\3")}, 'g'), ${literal(AT_START)}, ${literal("'\\1")})
    ELSE v END, '"', '""') || '"' END`;

type Given = Parameters<Exclude<Part, string>>;
const resolved = (part: Part | undefined, given: Given): string =>
  typeof part === 'function' ? part(...given) : (part ?? '');

/** The list of participants as lines of CSV: the columns, followed by the answers to the questions. */
export const csvOf = (questionIds: string[]): ListDeclaration => ({
  ...PARTICIPANTS,
  of: {
    ...PARTICIPANT,
    joins: (...given) => `${resolved(PARTICIPANT.joins, given)}
      CROSS JOIN LATERAL (SELECT ${resolved(PARTICIPANT.select, given)}) item
      CROSS JOIN LATERAL (
        SELECT coalesce(json_object_agg(answer->>'id', answer->'value'), '{}') AS by_id
        FROM json_array_elements(t.fields) answer) answers
      CROSS JOIN LATERAL (
        SELECT string_agg(${CELL}, ',' ORDER BY n) AS line
        FROM unnest(ARRAY[${Object.values(EXPORT_COLUMNS).map((sql) => `(${sql})::text`)}] || array(
          SELECT ${asText('answers.by_id->question')} FROM unnest(${given[1](questionIds)}::text[])
            WITH ORDINALITY asked (question, place) ORDER BY place)) WITH ORDINALITY cells (v, n)) csv`,
    json: 'csv.line',
  },
});

/** A cell of the header; keys of questions are text of the organizer. */
export const headerCell = (text: string): string =>
  `"${text
    .replace(new RegExp(BEHIND, 'g'), "$1$2'$3")
    .replace(new RegExp(AT_START), "'$1")
    .replaceAll('"', '""')}"`;
