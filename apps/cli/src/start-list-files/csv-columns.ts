import { UnreadableFile } from '#domain/catalogue';
import { nearestOf } from '#platform/validation';

/** The type of a cell. Lists are separated by `|`. */
type Kind = 'text' | 'integer' | 'boolean' | 'list' | 'answer';

const BOOKING: Record<string, Kind> = {
  externalBookingId: 'text',
  eventOccurrenceId: 'text',
  'booker.email': 'text',
  'booker.firstName': 'text',
  'booker.lastName': 'text',
  'booker.phone': 'text',
  bookedAt: 'text',
  bookerType: 'text',
  partnerId: 'text',
  discountCode: 'text',
  discountAlreadyApplied: 'boolean',
  sourcePlatform: 'text',
  source: 'text',
  createdAt: 'text',
  transactionId: 'text',
  referralCode: 'text',
};

const PARTICIPANT: Record<string, Kind> = {
  ticketId: 'text',
  firstName: 'text',
  lastName: 'text',
  email: 'text',
  dateOfBirth: 'text',
  gender: 'text',
  externalParticipantId: 'text',
  bibNumber: 'text',
  waveId: 'text',
  'price.value': 'integer',
  'price.currencyCode': 'text',
  'originalPrice.value': 'integer',
  'originalPrice.currencyCode': 'text',
  tags: 'list',
  'team.name': 'text',
  'team.role': 'text',
  approvalStatus: 'text',
  resolution: 'text',
  ballotDraw: 'text',
  applicationNotes: 'text',
  participantNotes: 'list',
  charityOptIn: 'list',
  'resultSubmission.url': 'text',
  'resultSubmission.submittedAt': 'text',
};

/** The content of the cells of a column. */
export interface Column {
  name: string;
  of: 'booking' | 'participant';
  /** The properties from the booking or participant to the cell. */
  path: string[];
  kind: Kind;
}

const FREE = /^(metadata|tracking)\.(.+)$/;
const ANSWER = /^participant\.fields\.(.+)$/;

export interface Columns {
  /** In the order of the file; `undefined` for a column that is not loaded. */
  inOrder: (Column | undefined)[];
  /** The columns that no property has, each with a similar name that one has. */
  unknown: { name: string; similar?: string }[];
}

/** Without one of them, no row is valid. */
const REQUIRED = ['externalBookingId', 'eventOccurrenceId', 'participant.ticketId'];
const KNOWN = [...Object.keys(BOOKING), ...Object.keys(PARTICIPANT).map((name) => `participant.${name}`)];

/** @throws UnreadableFile that names duplicate columns, and those which may be meant where a required one is missing */
export function columnsOf(header: string[]): Columns {
  const inOrder = header.map(columnOf);
  const strangers = header.filter((_, at) => !inOrder[at]);
  const ofCalendar = strangers.filter((name) => /^(?:event|occurrence|race|ticket)\./.test(name));
  if (ofCalendar.length > 0)
    throw new UnreadableFile(
      `The file looks like a race calendar, with one race per row: it has the columns ${quoted(ofCalendar)}. ` +
        'Load a race calendar with "catalogue load" (docs/catalogue-files.md).',
    );
  const repeated = header.find((name, at) => inOrder[at] && header.indexOf(name) !== at);
  if (repeated !== undefined) throw new UnreadableFile(`The file has the column "${repeated}" twice.`);
  const free = KNOWN.filter((name) => !header.includes(name));
  const unknown = strangers.map((name) => ({ name, similar: nearestOf(name, free) }));
  const missing = REQUIRED.filter((name) => !header.includes(name));
  if (missing.length > 0 && unknown.length > 0)
    throw new UnreadableFile(
      `The file has no column ${quoted(missing)}. These columns are not known: ` +
        `${unknown.map(({ name, similar }) => `"${name}"${meant(similar)}`).join(', ')}. ` +
        `Columns are ${KNOWN.join(', ')}, participant.fields.<field id>, metadata.<name> and tracking.<name>.`,
    );
  return { inOrder, unknown };
}

const quoted = (names: string[]): string => names.map((name) => `"${name}"`).join(', ');

export const meant = (similar: string | undefined): string =>
  similar ? ` (did you mean "${similar}"?)` : '';

function columnOf(name: string): Column | undefined {
  const [, free, property] = FREE.exec(name) ?? [];
  if (free && property) return { name, of: 'booking', path: [free, property], kind: 'text' };
  const [, fieldId] = ANSWER.exec(name) ?? [];
  if (fieldId) return { name, of: 'participant', path: ['fields', fieldId], kind: 'answer' };
  const ofBooking = Object.hasOwn(BOOKING, name) && BOOKING[name];
  if (ofBooking) return { name, of: 'booking', path: name.split('.'), kind: ofBooking };
  const inParticipant = name.startsWith('participant.') ? name.slice('participant.'.length) : '';
  const ofParticipant = Object.hasOwn(PARTICIPANT, inParticipant) && PARTICIPANT[inParticipant];
  if (ofParticipant) return { name, of: 'participant', path: inParticipant.split('.'), kind: ofParticipant };
  return undefined;
}

/**
 * The value of a cell. A cell that does not match its type stays text, which the check of the row then rejects by
 * name. An answer is parsed as JSON if it is a number, true, false or a list, otherwise it is text: the check of the
 * answer knows its field.
 */
export function readCell(cell: string, kind: Kind): unknown {
  switch (kind) {
    case 'text':
      return cell;
    case 'integer':
      return /^-?\d{1,15}$/.test(cell) ? Number(cell) : cell;
    case 'boolean':
      return cell === 'true' ? true : cell === 'false' ? false : cell;
    case 'list':
      return cell.split('|').map((each) => each.trim());
    case 'answer':
      return answerOf(cell);
  }
}

function answerOf(cell: string): unknown {
  if (!/^(true|false|-?\d{1,15}(\.\d+)?|\[.*\])$/s.test(cell)) return cell;
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}
