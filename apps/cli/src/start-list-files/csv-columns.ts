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

/** @throws UnreadableFile that names unknown and duplicate columns */
export function columnsOf(header: string[]): Column[] {
  const unknown = header.filter((name) => !columnOf(name));
  const ofCalendar = unknown.filter((name) => /^(?:event|occurrence|race|ticket)\./.test(name));
  if (ofCalendar.length > 0)
    throw new UnreadableFile(
      `The file looks like a race calendar, with one race per row: it has the columns ${quoted(ofCalendar)}. ` +
        'Load a race calendar with "catalogue load" (docs/catalogue-files.md).',
    );
  const known = [...Object.keys(BOOKING), ...Object.keys(PARTICIPANT).map((name) => `participant.${name}`)];
  if (unknown.length > 0)
    throw new UnreadableFile(
      `These columns are not known: ${unknown.map((name) => proposal(name, known)).join(', ')}. ` +
        `Columns are ${known.join(', ')}, ` +
        'participant.fields.<field id>, metadata.<name> and tracking.<name>.',
    );
  const repeated = header.find((name, at) => header.indexOf(name) !== at);
  if (repeated !== undefined) throw new UnreadableFile(`The file has the column "${repeated}" twice.`);
  return header.map((name) => columnOf(name) as Column);
}

const quoted = (names: string[]): string => names.map((name) => `"${name}"`).join(', ');

function proposal(name: string, known: string[]): string {
  const nearest = nearestOf(name, known);
  return nearest ? `"${name}" (did you mean ${nearest}?)` : `"${name}"`;
}

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
