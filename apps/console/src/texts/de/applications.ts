import type { Texts } from '../en';
import { counted, number } from './words';

const of = (count: number) => counted(count, '1 Bewerbung', '# Bewerbungen');

export const applications: Texts['applications'] = {
  title: 'Bewerbungen',
  application: 'Bewerbung',
  created: 'Beworben',
  states: { PENDING: 'Wartet', APPROVED: 'Angenommen', REJECTED: 'Abgelehnt', WITHDRAWN: 'Zurückgezogen' },
  search: 'Bewerbungen suchen',
  resolution: 'Entscheidung',
  resolutions: { MANUAL: 'Von Hand', BALLOT: 'Durch das Los', INSTANT: 'Sofort' },
  anyResolution: 'Jede Art von Entscheidung',
  none: 'Keine Bewerbung wartet',
  noneAdvice: 'Bewerbungen um Tickets mit Verlosung oder Zusage von Hand erscheinen hier.',
  noneFound: 'Keine Bewerbungen gefunden',
  noneFoundAdvice: 'Prüfen Sie die Schreibweise und die Filter.',
  statusOf: (status) =>
    ({
      ...{
        APPROVED: 'Angenommen',
        REJECTED: 'Abgelehnt',
        WITHDRAWN: 'Zurückgezogen',
        CANCELLED: 'Storniert',
      },
      ...{ DUPLICATE: 'Als doppelt zurückgestellt', NOT_DUPLICATE: 'Nicht doppelt' },
    })[status] ?? status,
  selection: 'Über Bewerbungen entscheiden',
  select: (name) => `${name} auswählen`,
  selectPage: 'Diese Seite auswählen',
  selected: (count) => `${number(count)} ausgewählt`,
  decide: {
    APPROVE: 'Annehmen',
    REJECT: 'Ablehnen',
    WITHDRAW: 'Zurückziehen',
    NOT_DUPLICATE: 'Nicht doppelt',
  },
  decideAll: {
    APPROVE: (count) => `Alle ${count} annehmen`,
    REJECT: (count) => `Alle ${count} ablehnen`,
    WITHDRAW: (count) => `Alle ${count} zurückziehen`,
    NOT_DUPLICATE: (count) => `Alle ${count} als nicht doppelt kennzeichnen`,
  },
  decideTitle: {
    APPROVE: (count) => `${of(count)} annehmen?`,
    REJECT: (count) => `${of(count)} ablehnen?`,
    WITHDRAW: (count) => `${of(count)} zurückziehen?`,
    NOT_DUPLICATE: () => 'Nicht doppelt?',
  },
  decideText: {
    APPROVE:
      'Sie werden Teilnehmende, solange Ticket, Wettbewerb und Startwelle Plätze haben; wer sich zuerst beworben hat, kommt zuerst. Das lässt sich nicht rückgängig machen.',
    REJECT: 'Reservierte Plätze werden wieder frei. Das lässt sich nicht rückgängig machen.',
    WITHDRAW:
      'Tun Sie das, wenn die Bewerberinnen und Bewerber darum gebeten haben. Reservierte Plätze werden wieder frei. Das lässt sich nicht rückgängig machen.',
    NOT_DUPLICATE:
      'Eine Ziehung hat sie zurückgestellt, weil sich jemand mit gleichem Namen, Geburtsdatum und gleicher E-Mail-Adresse oder Telefonnummer früher beworben hat. Sind es zwei Menschen, nimmt sie an der nächsten Ziehung teil.',
  },
  reason: 'Grund',
  reasonHelp: 'Partner und Ihre Website können ihn anzeigen.',
  progress: (seen, total) => `${number(seen)} von ${number(total)} erledigt …`,
  doneText: {
    APPROVE: (count) => `${of(count)} angenommen.`,
    REJECT: (count) => `${of(count)} abgelehnt.`,
    WITHDRAW: (count) => `${of(count)} zurückgezogen.`,
    NOT_DUPLICATE: (count) => `${of(count)} als nicht doppelt gekennzeichnet.`,
  },
  refusals: {
    NOT_FOUND: 'gibt es nicht mehr.',
    NOT_PENDING: 'waren schon entschieden.',
    CANCELLED: 'sind storniert.',
    NO_CAPACITY_REMAINING: 'haben keinen Platz mehr bekommen. Sie warten weiter.',
  },
  mixes: 'Ich entscheide über mehrere Tickets zugleich, auch über solche mit Verlosung.',
  stop: 'Anhalten',
  ballots: 'Verlosungen',
  ballot: 'Verlosung',
  noBallots: 'Keine Verlosungen',
  noBallotsAdvice: 'Um ein Ticket, das verlost wird, bewerben sich Menschen; Sie ziehen einige davon.',
  waiting: 'Warten',
  placesLeft: 'Freie Plätze',
  draw: 'Ziehung',
  draws: 'Ziehungen',
  drawnAt: 'Begonnen',
  noDraws: 'Es wurde noch nichts gezogen.',
  nextDraw: 'Nächste Ziehung',
  continueDraw: 'Ziehung fortsetzen',
  unfinished: 'Unvollständig',
  nobodyWaits: 'Niemand wartet auf eine Entscheidung.',
  seed: 'Startwert',
  seedHelp:
    'Ein beliebiger Text. Er allein bestimmt die Reihenfolge der Bewerbungen: Kündigen Sie ihn vorher an, zum Beispiel die Zahlen einer Lotterie. Wer ihn kennt, kann die Ziehung nachprüfen.',
  placesToDraw: 'Zu ziehende Bewerbungen',
  teamsToDraw: 'Zu ziehende Teams',
  placesRule: (left) =>
    left === null
      ? 'Eine ganze Zahl, höchstens 1.000.000.'
      : `Eine ganze Zahl, höchstens ${number(left)}: Mehr Plätze sind nicht frei.`,
  keepPending: 'Wer nicht gezogen wird, wartet weiter auf eine andere Ziehung',
  preview: (drawn, rest, keeps) =>
    `${counted(drawn, '1 wird gezogen und angenommen', '# werden gezogen und angenommen')}, ${number(rest)} ${
      keeps
        ? rest === 1
          ? 'wartet weiter'
          : 'warten weiter'
        : rest === 1
          ? 'wird abgelehnt'
          : 'werden abgelehnt'
    }. Weitere Bewerbungen derselben Person warten weiter, als doppelte.`,
  drawNow: 'Ziehen',
  drawTitle: 'Jetzt ziehen?',
  drawText:
    'Die Namen erscheinen, wenn sie fertig ist. Eine Ziehung lässt sich weder rückgängig machen noch wiederholen.',
  drawCounts: {
    places: 'Plätze',
    applications: 'In der Ziehung',
    drawn: 'Gezogen',
    notDrawn: 'Nicht gezogen',
    decided: 'Anderweitig entschieden',
    full: 'Ohne Platz',
    duplicates: 'Doppelte',
  },
};
