import type { HistoryMessage, RaceDayHistory } from './history';

const SOURCES: Record<HistoryMessage['source'], string> = {
  TIMING: 'a timing message',
  RACE_DAY: "the organizer's update",
  IMPORT: 'an import',
  CATALOGUE: 'a start list file',
};

type Told = (message: HistoryMessage) => string | null | undefined;

/** The parts of a message. Each is applied independently of the others. */
const MATTERS: { name: string; told: Told }[] = [
  {
    name: 'bib',
    told: ({ setsBib, bibNumber }) =>
      setsBib ? (bibNumber ? `bib ${bibNumber}` : 'bib removed') : undefined,
  },
  {
    name: 'shipping',
    told: ({ status, shippedAt }) => (status ? `${status.toLowerCase()}, sent ${shippedAt}` : undefined),
  },
  { name: 'carrier', told: ({ carrier }) => carrier && `carrier ${carrier}` },
  { name: 'number', told: ({ trackingNumber }) => trackingNumber && `tracking number ${trackingNumber}` },
  { name: 'link', told: ({ trackingUrl }) => trackingUrl && `tracking link ${trackingUrl}` },
];

/** The history as text: each message, its source, and why each part of it is shown or not. */
export function tellHistory({ participantId, entry, messages, foldedMessages }: RaceDayHistory): string {
  const lines = [headingOf(participantId, entry)];
  if (foldedMessages > 0) {
    lines.push(
      `${foldedMessages} older messages were superseded and have been deleted (RACE_DAY_LOG_DAYS). Bib claims are kept.`,
    );
  } else if (messages.length === 0) lines.push('There are no race-day messages.');
  for (const message of messages) {
    const to = message.sentToBib ? `, sent to bib ${message.sentToBib}` : '';
    lines.push('', `${message.changedAt}  ${SOURCES[message.source]}${to} (received ${message.receivedAt})`);
    for (const { name, told } of MATTERS) {
      const says = told(message);
      if (says) lines.push(`  ${says}: ${fateOf(message, messages, entry, name, told)}`);
    }
    for (const { id, value } of message.customFields ?? []) {
      const same = ({ customFields }: HistoryMessage) => customFields?.find((field) => field.id === id)?.id;
      lines.push(`  ${id} = ${JSON.stringify(value)}: ${fateOf(message, messages, entry, 'field', same)}`);
    }
  }
  return lines.join('\n');
}

function headingOf(participantId: string, entry: RaceDayHistory['entry']): string {
  if (!entry) return `There is no participant ${participantId} yet. These messages wait for it:`;
  const { race, bibNumber, cancelled, approvalStatus } = entry;
  const bib = bibNumber ? `has bib ${bibNumber}` : 'has no bib';
  const state = cancelled
    ? ', and is cancelled'
    : approvalStatus === 'APPROVED'
      ? ''
      : ', and is not approved';
  return `Participant ${participantId} of ${race} ${bib}${state}.`;
}

function fateOf(
  message: HistoryMessage,
  messages: HistoryMessage[],
  entry: RaceDayHistory['entry'],
  name: string,
  told: Told,
): string {
  if (message.state === 'PENDING') return 'not applied yet';
  if (message.state === 'WAITING') {
    return entry?.approvalStatus === 'APPROVED'
      ? "not applied: the sender's key is restricted to other event occurrences"
      : 'waits for the participant';
  }
  const newest = messages.findLast((other) => other.state === 'APPLIED' && told(other));
  if (newest && newest !== message) {
    return newest.changedAt === message.changedAt
      ? 'superseded by a message with the same time that was received later'
      : `superseded by the message of ${newest.changedAt}`;
  }
  if (name !== 'bib' || !message.bibNumber) return 'shown';
  if (entry?.cancelled) return 'not shown: the entry is cancelled';
  if (!entry?.holder) return 'shown';
  const { participantId, since } = entry.holder;
  return `not shown (BIB_NUMBER_TAKEN): participant ${participantId} claimed the bib first, at ${since}`;
}
