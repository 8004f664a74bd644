/** Other names of fields in English, German, French and Spanish, as `plain` writes them. */
const NAMES = `
firstName: firstname forename givenname first vorname rufname prenom nombre
lastName: lastname surname familyname last nachname familienname zuname nom nomdefamille apellidos
wholeName: name fullname wholename namefirstlast namelastfirst participant runner athlete vollername ganzername
  vornamename namevorname vornamenachname nachnamevorname teilnehmer laufer nomcomplet nomprenom prenomnom nometprenom
  coureur nombrecompleto nombreyapellidos apellidosynombre
email: email mail emailaddress epost emailadresse mailadresse courriel adressemail adresseemail correo correoelectronico
dateOfBirth: dateofbirth birthdate dob birthday born geburtsdatum gebdatum geburtstag gebdat geb geboren geborenam
  datedenaissance naissance nele fechadenacimiento fechanacimiento nacimiento
gender: gender sex geschlecht sexe genre mw wm mf mwd sexo genero nem
bibNumber: bibnumber bib bibno bibnr startnummer startnr startnumber racenumber dossard nodedossard dorsal
phone: phone phonenumber telephone telefon telefonnummer mobile mobil handy tel portable cellphone telefono movil
externalBookingId: externalbookingid bookingid bookingnumber bookingreference bookingref orderid order ordernumber
  orderno booking registrationid buchung buchungsnummer buchungsnr bestellnummer bestellung auftragsnummer anmeldenummer
  commande numerodecommande nocommande reservation numerodereservation pedido numerodepedido
externalParticipantId: externalparticipantid participantid runnerid athleteid teilnehmerid teilnehmernummer
  idparticipant
ticketId: ticketid ticket tickettitle tickettype ticketname race competition distance category wettbewerb bewerb strecke
  lauf disziplin course epreuve billet parcours prueba distancia
waveId: waveid wave startwave startblock startgruppe welle vague sas corral
eventOccurrenceId: eventoccurrenceid event occurrence eventname veranstaltung evenement
bookedAt: bookedat bookingdate orderdate registrationdate buchungsdatum anmeldedatum bestelldatum datedecommande
  datedinscription fechadeinscripcion fechainscripcion
team.name: teamname team club verein mannschaft vereinmannschaft equipe nomdelequipe equipo
tags: tags tag labels schlagworte etiquettes
price: price pricepaid amountpaid fee entryfee amount betrag preis startgeld gebuhr prix montant tarif precio importe
amount: amount betrag summe sum credit guthaben montant solde price preis
unitPrice: unitprice price preis einzelpreis stuckpreis prix prixunitaire amount betrag
discount.price: discountprice reduction ermassigung rabattbetrag remise
discount.amount: discountamount percent percentage prozent pourcentage
currencyCode: currencycode currency wahrung waehrung devise monnaie
code: code discountcode coupon couponcode voucher vouchercode gutschein gutscheincode rabattcode codepromo
discountCode: discountcode coupon couponcode voucher vouchercode promocode gutschein gutscheincode rabattcode codepromo
quantity: quantity qty count anzahl menge quantite
reason: reason grund motif raison
expiresAt: expiresat expires expirydate gultigbis ablaufdatum dateexpiration
partnerId: partnerid partner charity partenaire
addOnId: addonid addon extra zusatz zusatzleistung option
reservedEntryGroupId: reservedentrygroupid group gruppe groupe
ticketSlug: ticketslug ticket
group: group gruppe groupe
nationality: nationality nation nat nationalitat staatsangehorigkeit nationalite nacionalidad
shirtSize: shirtsize tshirt tshirtsize shirtgrosse tshirtgrosse tailletshirt tailledutshirt tallacamiseta
`;
export const ALIASES: Record<string, string[]> = Object.fromEntries(
  NAMES.trim()
    .split(/\n(?! )/)
    .map((line) => line.split(/:?\s+/))
    .map(([field = '', ...names]) => [field, names]),
);

/** Words before the name of a field that say whose it is. */
export const BOOKER_WORDS: string[] = [
  ...['booker', 'buyer', 'purchaser', 'customer', 'billing', 'contact', 'orderer'],
  ...['besteller', 'kaufer', 'kunde', 'kunden', 'rechnungs', 'kontakt', 'bucher', 'anmelder'],
  ...['acheteur', 'client', 'payeur'],
];
export const PARTICIPANT_WORDS: string[] = [
  ...['participant', 'runner', 'athlete', 'attendee', 'entrant', 'person', 'member', 'rider'],
  ...['teilnehmer', 'teilnehmerin', 'laufer', 'lauferin', 'starter', 'sportler', 'mitglied'],
  ...['coureur', 'personne', 'athlete', 'inscrit'],
];

/** The names of the fields for people. */
const WORDS: Record<string, [en: string, de: string]> = {
  externalBookingId: ['Booking number', 'Buchungsnummer'],
  externalParticipantId: ['Participant number', 'Teilnehmernummer'],
  eventOccurrenceId: ['Event', 'Veranstaltung'],
  ticketId: ['Ticket', 'Ticket'],
  ticketSlug: ['Ticket', 'Ticket'],
  waveId: ['Wave', 'Startblock'],
  firstName: ['First name', 'Vorname'],
  lastName: ['Last name', 'Nachname'],
  email: ['Email', 'E-Mail'],
  phone: ['Phone', 'Telefon'],
  dateOfBirth: ['Date of birth', 'Geburtsdatum'],
  gender: ['Gender', 'Geschlecht'],
  bibNumber: ['Bib', 'Startnummer'],
  price: ['Amount paid', 'Gezahlter Betrag'],
  originalPrice: ['Original price', 'Ursprünglicher Preis'],
  amount: ['Amount', 'Betrag'],
  unitPrice: ['Price of one', 'Einzelpreis'],
  value: ['in minor units', 'in Cent'],
  currencyCode: ['Currency', 'Währung'],
  tags: ['Tags', 'Schlagworte'],
  'team.name': ['Team', 'Team'],
  'team.role': ['Role in the team', 'Rolle im Team'],
  bookedAt: ['Booked at', 'Gebucht am'],
  bookerType: ['Kind of booker', 'Art des Buchenden'],
  partnerId: ['Partner', 'Partner'],
  discountCode: ['Discount code', 'Rabattcode'],
  discountAlreadyApplied: ['Discount already deducted', 'Rabatt schon abgezogen'],
  sourcePlatform: ['Sold on', 'Verkauft über'],
  externalCreditId: ['Credit number', 'Guthabennummer'],
  reason: ['Reason', 'Grund'],
  expiresAt: ['Expires', 'Gültig bis'],
  eventId: ['Event', 'Veranstaltung'],
  externalLineItemId: ['Line item number', 'Postennummer'],
  bookingId: ['Booking (id)', 'Buchung (Id)'],
  participantId: ['Participant (id)', 'Teilnehmer (Id)'],
  itemType: ['Kind of item', 'Art des Postens'],
  itemId: ['Item (id)', 'Artikel (Id)'],
  itemSelectionId: ['Variant (id)', 'Variante (Id)'],
  name: ['Name', 'Name'],
  externalAllocationId: ['Add-on number', 'Nummer der Zusatzleistung'],
  addOnId: ['Add-on', 'Zusatzleistung'],
  variantId: ['Variant', 'Variante'],
  quantity: ['Quantity', 'Anzahl'],
  operationalStatus: ['Delivery status', 'Lieferstatus'],
  financialStatus: ['Payment status', 'Zahlungsstatus'],
  code: ['Code', 'Code'],
  'discount.type': ['Kind of discount', 'Art des Rabatts'],
  'discount.price': ['Reduction', 'Ermäßigung'],
  'discount.amount': ['Percent', 'Prozent'],
  'discount.isAppliedToBookingFee': ['Also for the booking fee', 'Auch auf die Buchungsgebühr'],
  appliesPer: ['Applies per', 'Gilt je'],
  limitUsage: ['Uses in total', 'Verwendungen insgesamt'],
  limitUsagePerTransaction: ['Uses per booking', 'Verwendungen je Buchung'],
  group: ['Group', 'Gruppe'],
  eventOccurrenceIds: ['Events', 'Veranstaltungen'],
  ticketIds: ['Tickets', 'Tickets'],
  startDateTime: ['Valid from', 'Gültig ab'],
  endDateTime: ['Valid until', 'Gültig bis'],
  referralProgramId: ['Referral program', 'Empfehlungsprogramm'],
  generatedReferralCode: ['Referral code', 'Empfehlungscode'],
  referredBookingId: ['Referred booking (id)', 'Empfohlene Buchung (Id)'],
  referredExternalBookingId: ['Referred booking number', 'Empfohlene Buchungsnummer'],
  status: ['Status', 'Status'],
  externalAssignmentId: ['Assignment number', 'Zuweisungsnummer'],
  reservedEntryGroupId: ['Reserved entry group', 'Kontingent'],
  booker: ['Booker', 'Buchende Person'],
  participant: ['Participant', 'Teilnehmer'],
  answer: ['Answer', 'Antwort'],
  metadata: ['Further data', 'Weitere Angaben'],
  'event.title': ['Event', 'Veranstaltung'],
  occurrence: ['Event', 'Veranstaltung'],
  'occurrence.timeZone': ['Time zone', 'Zeitzone'],
  'occurrence.location.address.city': ['City', 'Ort'],
  'occurrence.location.address.countryName': ['Country', 'Land'],
  'race.title': ['Race', 'Rennen'],
  'race.startDate': ['Date', 'Datum'],
  'race.startTime': ['Start', 'Start'],
  'race.distance.value': ['Distance', 'Distanz'],
  'race.distance.unit': ['Unit of the distance', 'Einheit der Distanz'],
  'race.maxCapacity': ['Places', 'Plätze'],
  'ticket.title': ['Ticket', 'Ticket'],
  'ticket.price': ['Price', 'Preis'],
  'wave.title': ['Wave', 'Startblock'],
  'wave.startTime': ['Start of the wave', 'Start des Startblocks'],
};

export type Language = 'en' | 'de';
/** Which of the words for something are those of a language. */
export const placeOf = (language: Language): 0 | 1 => (language === 'en' ? 0 : 1);

/** The name of a field in words: `Participant 2: first name` and not `participants[1].firstName`. */
export function nameOfField(path: string, language: Language = 'en', label?: string): string {
  const answer = path.replace(/^participants\[\d+\]\./, '');
  const word = (name: string): string | undefined => WORDS[name]?.[placeOf(language)];
  const [, person = '', number, own = path] = /^(booker|participants?)(?:\[(\d+)\])?\.(.+)$/.exec(path) ?? [];
  const name = label && own === answer ? `${word('answer')}: ${label}` : leafName(own, word);
  if (person === 'booker') return `${word('booker')}: ${name}`;
  if (number !== undefined && number !== '0') return `${word('participant')} ${Number(number) + 1}: ${name}`;
  return name;
}

function leafName(path: string, word: (name: string) => string | undefined): string {
  const direct = word(path);
  if (direct) return direct;
  const [, free, key] = /^(metadata|fields)\.(.+?)(?::\w+)?$/.exec(path) ?? [];
  if (free) return `${word(free === 'fields' ? 'answer' : 'metadata')}: ${key}`;
  const at = path.lastIndexOf('.');
  if (at < 0) return path;
  const [of, last] = [path.slice(0, at), path.slice(at + 1)];
  const whole = word(of) ?? word(of.slice(of.lastIndexOf('.') + 1));
  const part = word(last) ?? last;
  if (!whole) return part;
  return last === 'value' ? `${whole} (${part})` : `${whole}: ${part}`;
}
