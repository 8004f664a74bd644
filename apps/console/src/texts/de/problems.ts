import type { Texts } from '../en';
import { number } from './words';

export const problems: Texts['problems'] = {
  offline: 'Der Server ist nicht erreichbar',
  offlineAdvice: 'Prüfen Sie Ihre Verbindung. Die Seite versucht es automatisch erneut.',
  badRequest: 'Die Angaben wurden nicht angenommen',
  badRequestAdvice: 'Korrigieren Sie das und versuchen Sie es erneut.',
  forbidden: 'Dafür fehlt Ihnen die Berechtigung',
  forbiddenPage: 'Ihre Rolle kann diese Seite nicht verwenden',
  forbiddenAdvice: 'Wenden Sie sich an einen Inhaber Ihrer Organisation, wenn Sie sie benötigen.',
  notFound: 'Nicht gefunden',
  notFoundAdvice: 'Möglicherweise wurde der Eintrag entfernt. Suchen Sie ihn in der Liste.',
  conflict: 'Jemand hat die Daten inzwischen geändert',
  conflictAdvice: 'Laden Sie die Seite neu und versuchen Sie es erneut.',
  tooMany: 'Zu viele Anfragen',
  tooManyAdvice: (seconds) => `Warten Sie ${seconds} s und versuchen Sie es erneut.`,
  unavailable: 'Der Server ist vorübergehend nicht verfügbar',
  unavailableAdvice: 'Es wurde nichts geändert. Versuchen Sie es in einer Minute erneut.',
  unexpected: 'Auf dem Server ist ein Fehler aufgetreten',
  unexpectedAdvice:
    'Versuchen Sie es erneut. Tritt der Fehler wieder auf, nennen Sie dem technischen Betrieb die Anfrage-ID.',
  requestId: (id) => `Anfrage-ID: ${id}`,
  retry: 'Erneut versuchen',
  row: (row) => `Zeile ${number(row)}`,
  more: (count) => `und ${number(count)} weitere`,
};
