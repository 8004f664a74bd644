import type { Texts } from '../en';

export const codes: Texts['codes'] = {
  NO_CAPACITY_REMAINING: 'Kein Platz mehr',
  EVENT_NOT_FOUND: 'Unbekannte Veranstaltung',
  EVENT_OCCURRENCE_NOT_FOUND: 'Unbekannte Veranstaltung',
  TICKET_NOT_FOUND: 'Kein Ticket dieser Veranstaltung',
  WAVE_NOT_FOUND: 'Keine Startwelle dieses Wettbewerbs',
  FIELD_NOT_FOUND: 'Unbekannte Frage',
  ADD_ON_NOT_FOUND: 'Keine Zusatzleistung hier',
  PARTNER_NOT_FOUND: 'Unbekannter Partner',
  BOOKING_NOT_FOUND: 'Unbekannte Buchung',
  PARTICIPANT_NOT_FOUND: 'Unbekannter Teilnehmer',
  DISCOUNT_CODE_NOT_FOUND: 'Unbekannter Rabattcode',
  DISCOUNT_CODE_NOT_APPLICABLE: 'Code gilt hier nicht',
  DISCOUNT_LIMIT_REACHED: 'Code aufgebraucht',
  REFERRAL_PROGRAM_NOT_FOUND: 'Unbekanntes Empfehlungsprogramm',
  REFERRER_NOT_FOUND: 'Unbekannter Empfehlungscode',
  OWN_BOOKING: 'Eigene Buchung',
  REFERRAL_ALREADY_ATTRIBUTED: 'Zählt für einen anderen Code',
  INVALID_TRANSITION: 'Status kann nicht so wechseln',
  BOOKING_CANCELLED: 'Buchung ist storniert',
  INVALID_ROW: 'Nicht wie das Feld es verlangt',
  INVALID_ANSWER: 'Antwort nicht zulässig',
  INVALID_PRICE: 'Nur der erste hat einen Preis',
  INVALID_SIGN: 'Falsches Vorzeichen des Betrags',
  INVALID_APPROVAL: 'Freigabe nicht zulässig',
  INVALID_ASSIGNMENT: 'Kein Kontingent oder Ticket davon',
  TIME_ZONE_REQUIRED: 'Uhrzeit ohne Zeitzone',
  AMBIGUOUS_TIME: 'Uhrzeit während der Zeitumstellung',
  OUT_OF_RANGE: 'Wert außerhalb des Erlaubten',
  TOO_LARGE: 'Zu viele Daten',
  CURRENCY_MISMATCH: 'Andere Währung',
  BIB_NUMBER_TAKEN: 'Startnummer vergeben',
  NOT_CORRECTABLE: 'Nicht per Import änderbar',
  PARTICIPANT_NOT_RECOGNISED: 'Person nicht erkannt',
  PARTICIPANT_REDACTED: 'Person wurde entfernt',
  DOMAIN_NOT_ALLOWED: 'E-Mail-Domain nicht zulässig',
  ALREADY_USED: 'Hat schon einen Platz',
  DEADLINE_PASSED: 'Nach der Frist',
  CHANGED_SINCE_IMPORT: 'Seit dem Import geändert',
  NOT_REACHED: 'Nicht erreicht',
  INTERNAL: 'Unerwarteter Fehler',
};

export const remedies: Texts['remedies'] = {
  NO_CAPACITY_REMAINING:
    'Erhöhen Sie die Kapazität des Kontingents oder seines Tickets, oder wählen Sie ein anderes. Senden Sie die Zeilen dann erneut.',
  EVENT_NOT_FOUND: 'Wählen Sie die Veranstaltung in der Tabelle.',
  EVENT_OCCURRENCE_NOT_FOUND:
    'Wählen Sie die Veranstaltung in der Tabelle. Eventuell sind auch Tickets und Startwellen neu zu wählen.',
  TICKET_NOT_FOUND:
    'Wählen Sie ein Ticket der Veranstaltung, oder legen Sie eines an. Es kann sofort gebucht werden.',
  WAVE_NOT_FOUND: 'Wählen Sie eine Startwelle des Wettbewerbs, lassen Sie sie leer, oder legen Sie eine an.',
  FIELD_NOT_FOUND:
    'Entfernen Sie die Antwort, oder nehmen Sie die Frage ins Formular des Tickets auf. Senden Sie die Zeilen dann erneut.',
  ADD_ON_NOT_FOUND: 'Wählen Sie in der Tabelle eine Zusatzleistung der Veranstaltung des Teilnehmers.',
  PARTNER_NOT_FOUND: 'Wählen Sie den Partner in der Tabelle. Fehlt er, legen Sie ihn unter Partner an.',
  BOOKING_NOT_FOUND:
    'Importieren Sie erst die Buchungen und senden Sie diese Zeilen dann erneut. Oder berichtigen Sie die Buchungsnummer.',
  PARTICIPANT_NOT_FOUND:
    'Importieren Sie erst die Buchungen und senden Sie diese Zeilen dann erneut. Oder berichtigen Sie die Nummern von Buchung und Teilnehmer.',
  DISCOUNT_CODE_NOT_FOUND:
    'Berichtigen oder leeren Sie den Code, oder importieren Sie ihn. Senden Sie die Zeilen dann erneut.',
  DISCOUNT_CODE_NOT_APPLICABLE:
    'Die Meldung nennt die Regel, die die Buchung verletzt. Berichtigen oder entfernen Sie den Code. Enthält der Preis ihn schon, setzen Sie „Code im Preis enthalten“.',
  DISCOUNT_LIMIT_REACHED:
    'Erhöhen Sie die Grenze des Codes, oder entfernen Sie ihn aus den Zeilen. Senden Sie die Zeilen dann erneut.',
  REFERRAL_PROGRAM_NOT_FOUND: 'Wählen Sie das Empfehlungsprogramm in der Tabelle.',
  REFERRER_NOT_FOUND: 'Berichtigen Sie den Code. Die Buchung, der er gehört, muss zuerst importiert sein.',
  OWN_BOOKING:
    'Niemand kann sich selbst empfehlen: Diese Zeilen können nicht importiert werden. Berichtigen Sie die Buchung, wenn sie die falsche ist.',
  REFERRAL_ALREADY_ATTRIBUTED:
    'Eine Buchung zählt für einen Code eines Programms, den ersten. Diese Zeilen können nicht importiert werden.',
  INVALID_TRANSITION:
    'Eine stornierte Empfehlung bleibt storniert, eine eingelöste kann nur storniert werden. Berichtigen Sie den Status.',
  BOOKING_CANCELLED:
    'Eine stornierte Buchung bleibt storniert. Importieren Sie die Buchung neu und senden Sie diese Zeilen dann erneut. Oder nennen Sie eine andere Buchung.',
  INVALID_ROW: 'Korrigieren Sie die markierten Zellen: Unter der Tabelle steht, was jeweils verlangt ist.',
  INVALID_ANSWER: 'Wählen Sie in der Tabelle eine der Optionen, oder entfernen Sie die Antwort.',
  INVALID_PRICE:
    'Personen, die sich ein Ticket teilen, haben einen Preis: Lassen Sie ihn bei den anderen leer.',
  INVALID_SIGN:
    'Rabatte, Guthaben und Erstattungen sind negativ; Zusatzleistungen, Spenden und Gebühren nicht.',
  INVALID_APPROVAL: 'Bei diesem Ticket wird sofort freigegeben: Lassen Sie die Freigabe leer.',
  INVALID_ASSIGNMENT: 'Wählen Sie in der Tabelle das Kontingent und eines seiner Tickets.',
  TIME_ZONE_REQUIRED:
    'Ergänzen Sie die Abweichung von UTC, etwa +01:00: Die Zeile nennt nicht eine Veranstaltung, deren Ortszeit es sein könnte.',
  AMBIGUOUS_TIME:
    'Die Uhrzeit gibt es zweimal oder gar nicht. Schreiben Sie eine der beiden Lesarten aus der Meldung.',
  OUT_OF_RANGE: 'Die Meldung nennt die erlaubten Werte.',
  TOO_LARGE: 'Kürzen Sie die längsten Texte der Zeile: Antworten, Metadaten und Tracking.',
  CURRENCY_MISMATCH: 'Berichtigen Sie Betrag und Währung: Es gilt die des Tickets oder der Buchung.',
  BIB_NUMBER_TAKEN:
    'Nehmen Sie die nächsten freien Startnummern, geben Sie andere ein, oder leeren Sie sie und vergeben Sie sie später.',
  NOT_CORRECTABLE:
    'Das ist festgelegt: durch den Verkauf, eine Stornierung oder eine Löschung. Ändern Sie es auf der Seite des Teilnehmers, oder lassen Sie es, wie es ist.',
  PARTICIPANT_NOT_RECOGNISED:
    'Die Buchung hat niemanden mit diesem Namen und Geburtsdatum oder mit dieser ID. Ergänzen Sie Ihre IDs der Teilnehmer, oder berichtigen Sie die Person auf der Seite des Teilnehmers.',
  PARTICIPANT_REDACTED:
    'Die Daten dieser Person wurden endgültig entfernt. Diese Zeilen können nicht importiert werden.',
  DOMAIN_NOT_ALLOWED:
    'Das Kontingent nimmt nur Adressen einer Domain. Berichtigen Sie die Adresse, oder wählen Sie ein anderes.',
  ALREADY_USED:
    'Das Kontingent gibt jeder Person einen Platz. Berichtigen Sie die Adresse, oder wählen Sie ein anderes.',
  DEADLINE_PASSED:
    'Partner können nach der Frist nichts vergeben, Mitarbeiter schon: Senden Sie die Zeilen erneut.',
  CHANGED_SINCE_IMPORT:
    'Andere haben es seit dem Import geändert. Prüfen Sie die Änderungen und machen Sie es dann mit ihnen rückgängig.',
  NOT_REACHED: 'Der Import endete vor diesen Zeilen. Wiederholen Sie den Import.',
  INTERNAL:
    'Es war vielleicht vorübergehend: Senden Sie die Zeilen erneut. Schlagen sie wieder fehl, nennen Sie dem Support die Auftrags-ID.',
};
