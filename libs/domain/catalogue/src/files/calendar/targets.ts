import { type Candidate, type ImportKind, plain, type SheetField, UNITS } from '#libs/sheets';
import { RESOLUTION_TYPES } from '#platform/validation';
import { SPORT_DISCIPLINES } from '../../shapes.dto';

type Kind = Pick<SheetField, 'type' | 'format' | 'options' | 'zero'>;
const TEXT: Kind = { type: 'string' };
const COUNT: Kind = { type: 'integer' };
const NUMBER: Kind = { type: 'number' };
const DATE: Kind = { type: 'string', format: 'date' };
const TIME: Kind = { type: 'string', format: 'time' };
const DATE_TIME: Kind = { type: 'string', format: 'date-time' };
const YES: Kind = { type: 'boolean' };
const oneOf = (options: readonly Candidate[]): Kind => ({ ...TEXT, options });
const oneOfConstants = (constants: readonly string[]): Kind =>
  oneOf(constants.map((id) => ({ id, names: [id, id.replaceAll('_', ' '), plain(id)] })));

/** @param names of columns, as `plain` writes them */
const field = (path: string, kind: Kind, names?: string): SheetField => ({
  ...{ path, required: false, names: names?.split(' ') ?? [] },
  ...kind,
});
const required = (path: string, kind: Kind, names: string): SheetField => ({
  ...field(path, kind, names),
  required: true,
});

const PLACE = 'occurrence.location';

/**
 * A race calendar: one race per row, with the ticket and the wave that the row may have. Names are in English, German, French and
 * Spanish.
 */
export const CALENDAR: ImportKind = {
  collection: 'races',
  identity: [],
  fields: [
    required('event.title', TEXT, 'event eventname veranstaltung evenement manifestation evento'),
    field('occurrence.title', TEXT),
    field('occurrence.timeZone', TEXT, 'timezone zeitzone fuseauhoraire zonahoraria'),
    field('occurrence.tags', { ...TEXT, format: 'lower-case' }),
    field('occurrence.published', YES, 'published veroffentlicht publie'),
    field('occurrence.status', oneOfConstants(['POSTPONED', 'CANCELLED'])),
    ...['excerpt', 'courseDetails', 'racedayLogistics', 'travel', 'spectators'].map((name) =>
      field(`occurrence.content.${name}`, TEXT),
    ),
    field(`${PLACE}.address.city`, TEXT, 'city town ort stadt ville ciudad localidad'),
    field(`${PLACE}.address.countryName`, { type: 'country' }, 'country land pays pais'),
    field(`${PLACE}.address.postCode`, TEXT, 'postcode zip plz postleitzahl codepostal codigopostal'),
    ...['formatted', 'countryCode', 'countyLine', 'addressLine1', 'addressLine2'].map((name) =>
      field(`${PLACE}.address.${name}`, TEXT),
    ),
    field(`${PLACE}.coordinates.latitude`, NUMBER),
    field(`${PLACE}.coordinates.longitude`, NUMBER),
    required('race.title', TEXT, 'race racename rennen wettbewerb lauf course epreuve prueba'),
    required('race.startDate', DATE, 'date racedate startdate datum renntag fecha'),
    field('race.startTime', TIME, 'starttime time startzeit uhrzeit heure heurededepart hora horadesalida'),
    field('race.discipline', oneOfConstants(SPORT_DISCIPLINES), 'discipline disziplin disciplina'),
    field('race.distance.value', { type: 'distance' }, 'distance distanz strecke distancia'),
    field('race.distance.unit', oneOf(UNITS), 'unit distanceunit einheit unite unidad'),
    field('race.maxCapacity', COUNT, 'capacity maxcapacity places startplatze kapazitat capacite plazas'),
    field('ticket.title', TEXT, 'ticket tickettitle billet'),
    field('ticket.ticketSlug', TEXT),
    field('ticket.description', TEXT, 'ticketdescription'),
    field('ticket.price', { type: 'amount', zero: true }, 'price preis startgeld prix tarif precio'),
    field('ticket.price.value', COUNT),
    field('ticket.price.currencyCode', TEXT, 'currency wahrung devise moneda'),
    field('ticket.saleStart', DATE_TIME, 'salestart verkaufsbeginn'),
    field('ticket.saleEnd', DATE_TIME, 'saleend verkaufsende meldeschluss'),
    field('ticket.maxCapacity', COUNT),
    field('ticket.approval', oneOfConstants(RESOLUTION_TYPES)),
    field('ticket.competitorSize', COUNT),
    field('wave.title', TEXT, 'wave startwave welle startwelle startblock vague'),
    field('wave.startTime', TIME, 'wavestart wavestarttime startzeitwelle startzeitblock departvague'),
    field('wave.startDateTime', DATE_TIME),
    field('wave.capacity', COUNT, 'wavecapacity wavesize wellengrosse blockgrosse'),
  ],
};
