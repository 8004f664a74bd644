import type { ImportKind } from '../../api';
import { at, type OpenRow, unreadIn } from './row-cells';

/** The fields that an error without a path is about, by code: their names without the participant's place. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  NO_CAPACITY_REMAINING: ['reservedEntryGroupId', 'ticketSlug'],
  EVENT_NOT_FOUND: ['eventId'],
  EVENT_OCCURRENCE_NOT_FOUND: ['eventOccurrenceId'],
  TICKET_NOT_FOUND: ['ticketId', 'ticketIds'],
  WAVE_NOT_FOUND: ['waveId'],
  ADD_ON_NOT_FOUND: ['addOnId', 'variantId'],
  PARTNER_NOT_FOUND: ['partnerId'],
  BOOKING_NOT_FOUND: ['bookingId', 'externalBookingId'],
  BOOKING_CANCELLED: ['bookingId', 'externalBookingId'],
  PARTICIPANT_NOT_FOUND: ['participantId', 'externalParticipantId', 'externalBookingId'],
  DISCOUNT_CODE_NOT_FOUND: ['discountCode'],
  DISCOUNT_CODE_NOT_APPLICABLE: ['discountCode'],
  DISCOUNT_LIMIT_REACHED: ['discountCode'],
  REFERRAL_PROGRAM_NOT_FOUND: ['referralProgramId'],
  REFERRER_NOT_FOUND: ['generatedReferralCode'],
  OWN_BOOKING: ['generatedReferralCode', 'referredExternalBookingId', 'referredBookingId'],
  REFERRAL_ALREADY_ATTRIBUTED: ['referredExternalBookingId', 'referredBookingId'],
  INVALID_TRANSITION: ['status'],
  BIB_NUMBER_TAKEN: ['bibNumber'],
  DOMAIN_NOT_ALLOWED: ['email'],
  ALREADY_USED: ['email'],
  DEADLINE_PASSED: ['reservedEntryGroupId'],
};

const PERSON = /^(?:participants\[\d+\]|participant)\./;
const leafOf = (path: string) => path.replace(PERSON, '');

/** The fields that an error is about; none, if it is about the row as a whole. */
export function concernedBy({ code, path, sent, cells }: OpenRow): string[] {
  const unread = unreadIn(sent).flatMap((each) => each.path ?? []);
  if (unread.length > 0) return unread;
  if (path) return cellsAt(path, sent, cells);
  const names = FIELDS[code] ?? [];
  return Object.keys(cells).filter((each) => !each.startsWith('booker.') && names.includes(leafOf(each)));
}

/** The cells that show the property at a path of the row. */
function cellsAt(path: string, sent: OpenRow['sent'], cells: OpenRow['cells']): string[] {
  // Answers have columns by their question.
  const [, answers = '', index] = /^(participants\[\d+\]\.fields)\[(\d+)\]/.exec(path) ?? [];
  if (answers) {
    const answer = at(sent, `${answers}[${index}]`) as { id?: string; key?: string } | undefined;
    const own = `${answers}.${answer?.id ?? answer?.key}`;
    return [cells[`${own}:json`] === undefined ? own : `${own}:json`];
  }
  const list = path.replace(/\[\d+\]$/, '');
  if (path in cells || !PERSON.test(`${path}.`))
    return [cells[path] === undefined && cells[list] !== undefined ? list : path];
  // A participant as a whole.
  const names = ['firstName', 'lastName'].map((name) => `${path}.${name}`).filter((each) => each in cells);
  return names.length > 0 ? names : [path];
}

const WHO = [
  'participants[0].firstName',
  'participants[0].lastName',
  'participant.firstName',
  'participant.lastName',
  'email',
];

/** The columns that identify a row, and those that its errors and changes are about; or all, in the order of the fields. */
export function columnsOf(
  rows: readonly OpenRow[],
  kind: ImportKind,
  { all, changed }: { all: boolean; changed: ReadonlySet<string> },
): string[] {
  const present = new Set<string>();
  const concerned = new Set<string>(changed);
  const persons = new Set<string>();
  for (const row of rows) {
    for (const path of Object.keys(row.cells)) present.add(path);
    for (const path of concernedBy(row)) {
      concerned.add(path);
      const [, person] = /^(participants\[[1-9]\d*\])\./.exec(path) ?? [];
      if (person) persons.add(`${person}.lastName`);
    }
  }
  const identity = [...kind.identity, ...WHO, ...persons].filter((path) => present.has(path));
  const order = new Map(kind.fields.map(({ path }, i) => [path, i]));
  const placeOf = (path: string): number => {
    const person = Number(/^participants\[(\d+)\]/.exec(path)?.[1] ?? 0);
    const own = order.get(path.replace(/^participants\[\d+\]/, 'participants[0]')) ?? order.size;
    return person * 1_000 + own;
  };
  const rest = (all ? [...present, ...kind.fields.map(({ path }) => path)] : [...concerned])
    .filter((path) => !identity.includes(path) && !isMinor(path, kind))
    .sort((a, b) => placeOf(a) - placeOf(b) || a.localeCompare(b));
  return [...new Set([...identity, ...rest])];
}

/** The amount in minor units, which is shown in whole units. */
const isMinor = (path: string, { fields }: ImportKind): boolean =>
  path.endsWith('.value') && fields.some((field) => field.path === path.slice(0, -'.value'.length));
