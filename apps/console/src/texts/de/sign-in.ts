import type { Texts } from '../en';

export const signIn: Texts['signIn'] = {
  title: 'Anmelden',
  organization: 'Organisation',
  organizationHelp: 'Der Kurzname aus Ihrem Anmeldelink',
  noPassword:
    'Noch kein Passwort, oder vergessen? Bitten Sie einen Inhaber Ihrer Organisation um einen Anmeldelink.',
  refused: 'Die Anmeldung ist fehlgeschlagen',
  refusedAdvice:
    'Organisation, E-Mail-Adresse und Passwort passen nicht zusammen. Prüfen Sie sie, oder bitten Sie einen Inhaber Ihrer Organisation um einen Anmeldelink.',
  mailLink: 'Passwort vergessen? Link per E-Mail anfordern',
  mailed: (email) =>
    `Wenn ${email} zu einem Mitglied dieser Organisation gehört, ist ein Link unterwegs. Er gilt einmal, eine Stunde lang.`,
  linkTitle: (organization) => `Bei ${organization} anmelden`,
  linkText: 'Dieser Link gilt einmal.',
  linkSubmit: 'Weiter',
  linkBroken: 'Dieser Link ist unvollständig',
  linkBrokenAdvice:
    'Kopieren Sie den ganzen Link einschließlich allem nach „#“, oder bitten Sie um einen neuen.',
  linkRefused: 'Dieser Link gilt nicht mehr',
  linkRefusedAdvice:
    'Er wurde schon verwendet oder ist abgelaufen. Bitten Sie einen Inhaber Ihrer Organisation um einen neuen.',
  ended: 'Ihre Sitzung ist abgelaufen. Melden Sie sich erneut an.',
  provider: 'Mit Single Sign-on anmelden',
  or: 'oder mit Passwort',
  linkToo:
    'Falls Single Sign-on nicht funktioniert, verwenden Sie einen Anmeldelink von einem Inhaber Ihrer Organisation.',
  providerFailed: 'Single Sign-on ist fehlgeschlagen',
  failures: {
    CANCELLED: 'Der Login wurde beim Identitätsanbieter abgebrochen. Versuchen Sie es erneut.',
    EXPIRED:
      'Der Login dauerte länger als zehn Minuten oder wurde in einem anderen Tab begonnen. Versuchen Sie es erneut.',
    UNVERIFIED:
      'Der Identitätsanbieter hat Ihre E-Mail-Adresse nicht bestätigt. Wenden Sie sich an dessen Verwaltung.',
    NOT_MEMBER:
      'Ihre E-Mail-Adresse gehört zu keinem Mitglied dieser Organisation. Bitten Sie einen Inhaber um eine Einladung.',
    TOO_MANY: 'Es gab zu viele Versuche. Warten Sie eine Minute und versuchen Sie es erneut.',
    PROVIDER:
      'Der Identitätsanbieter ist nicht verfügbar oder hat ungültig geantwortet. Versuchen Sie es erneut, oder wenden Sie sich an den technischen Betrieb.',
  },
};
