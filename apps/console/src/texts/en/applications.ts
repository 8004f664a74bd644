import { counted, number } from './words';

const of = (count: number) => counted(count, '1 application', '# applications');

export const applications = {
  title: 'Applications',
  application: 'Application',
  created: 'Applied',
  states: { PENDING: 'Waiting', APPROVED: 'Approved', REJECTED: 'Rejected', WITHDRAWN: 'Withdrawn' },
  search: 'Search applications',
  resolution: 'Decided',
  resolutions: { MANUAL: 'By hand', BALLOT: 'By ballot', INSTANT: 'At once' },
  anyResolution: 'Decided in any way',
  none: 'No applications wait',
  noneAdvice: 'Applications for tickets with a ballot or an approval by hand appear here.',
  noneFound: 'No applications found',
  noneFoundAdvice: 'Check the spelling and the filters.',
  statusOf: (status: string): string =>
    ({
      ...{ APPROVED: 'Approved', REJECTED: 'Rejected', WITHDRAWN: 'Withdrawn', CANCELLED: 'Cancelled' },
      ...{ DUPLICATE: 'Set aside as a duplicate', NOT_DUPLICATE: 'No duplicate' },
    })[status] ?? status,
  selection: 'Decide about applications',
  select: (name: string) => `Select ${name}`,
  selectPage: 'Select this page',
  selected: (count: number) => `${number(count)} selected`,
  decide: { APPROVE: 'Approve', REJECT: 'Reject', WITHDRAW: 'Withdraw', NOT_DUPLICATE: 'No duplicate' },
  decideAll: {
    APPROVE: (count: string) => `Approve all ${count}`,
    REJECT: (count: string) => `Reject all ${count}`,
    WITHDRAW: (count: string) => `Withdraw all ${count}`,
    NOT_DUPLICATE: (count: string) => `Say that all ${count} are no duplicates`,
  },
  decideTitle: {
    APPROVE: (count: number) => `Approve ${of(count)}?`,
    REJECT: (count: number) => `Reject ${of(count)}?`,
    WITHDRAW: (count: number) => `Withdraw ${of(count)}?`,
    NOT_DUPLICATE: (_count: number) => 'No duplicate?',
  },
  decideText: {
    APPROVE:
      'They become participants as long as their ticket, race and wave have places; whoever applied first comes first. This can’t be undone.',
    REJECT: 'Reserved places become available again. This can’t be undone.',
    WITHDRAW:
      'Do this if the applicants asked for it. Reserved places become available again. This can’t be undone.',
    NOT_DUPLICATE:
      'A draw set it aside because a person with the same name, birth date, and email or phone applied earlier. If these are two people, it takes part in the next draw.',
  },
  reason: 'Reason',
  reasonHelp: 'Partners and your website can show it.',
  progress: (seen: number, total: number) => `${number(seen)} of ${number(total)} done …`,
  doneText: {
    APPROVE: (count: number) => `${of(count)} approved.`,
    REJECT: (count: number) => `${of(count)} rejected.`,
    WITHDRAW: (count: number) => `${of(count)} withdrawn.`,
    NOT_DUPLICATE: (count: number) => `${of(count)} marked as no duplicate.`,
  },
  refusals: {
    NOT_FOUND: 'no longer exist.',
    NOT_PENDING: 'were decided before.',
    CANCELLED: 'are cancelled.',
    NO_CAPACITY_REMAINING: 'have no place left. They still wait.',
  },
  mixes: 'I decide about several tickets at once, also about those with a ballot.',
  stop: 'Stop',
  ballots: 'Ballots',
  ballot: 'Ballot',
  noBallots: 'No ballots',
  noBallotsAdvice: 'A ticket whose approval is a ballot collects applications, of which you draw some.',
  waiting: 'Waiting',
  placesLeft: 'Places left',
  draw: 'Draw',
  draws: 'Draws',
  drawnAt: 'Started',
  noDraws: 'Nothing has been drawn yet.',
  nextDraw: 'Next draw',
  continueDraw: 'Continue the draw',
  unfinished: 'Unfinished',
  nobodyWaits: 'Nobody waits for a decision.',
  seed: 'Seed',
  seedHelp:
    'Any text. It alone decides the order of the applications, so announce it beforehand, such as the numbers of a lottery. Anyone who has it can check the draw.',
  placesToDraw: 'Applications to draw',
  teamsToDraw: 'Teams to draw',
  placesRule: (left: number | null) =>
    left === null
      ? 'A whole number, at most 1,000,000.'
      : `A whole number, at most ${number(left)}: more places are not left.`,
  keepPending: 'Those who are not drawn keep waiting, for another draw',
  preview: (drawn: number, rest: number, keeps: boolean) =>
    `${counted(drawn, '1 is drawn and approved', '# are drawn and approved')}, ${counted(rest, '1', '#')} ${
      keeps ? (rest === 1 ? 'keeps waiting' : 'keep waiting') : rest === 1 ? 'is rejected' : 'are rejected'
    }. Further applications of the same person keep waiting, as duplicates.`,
  drawNow: 'Draw',
  drawTitle: 'Draw now?',
  drawText: 'The names appear when it is done. A draw can’t be undone or repeated.',
  drawCounts: {
    places: 'Places',
    applications: 'In the draw',
    drawn: 'Drawn',
    notDrawn: 'Not drawn',
    decided: 'Decided elsewhere',
    full: 'Without a place',
    duplicates: 'Duplicates',
  },
};
