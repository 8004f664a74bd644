import type { Caller } from '#platform/access';
import { questionsIn } from '#platform/access';
import type { ListDeclaration } from '#platform/queries';
import { asText, lineOf, resolved } from './csv';
import { TIMING_PARTICIPANTS } from './timing-participants.resource';

/** RACE RESULT writes the gender as one letter; other values stay as they are. */
const GENDER = `CASE upper(item."gender") WHEN 'FEMALE' THEN 'f' WHEN 'MALE' THEN 'm' ELSE item."gender" END`;

/**
 * The columns of the CSV. The first have the names of RACE RESULT's participant data fields
 * (https://www.raceresult.com/en/support/kbexport2?id=2767); the others are properties of a TimingParticipant.
 */
export const TIMING_COLUMNS: Readonly<Record<string, string>> = {
  Bib: 'item."bibNumber"',
  Lastname: 'item."lastName"',
  Firstname: 'item."firstName"',
  Gender: GENDER,
  YearOfBirth: 'item."yearOfBirth"',
  Club: 'CASE WHEN item."team?.id" IS NOT NULL THEN item."team?.name" END',
  Contest: 'item."raceTitle"',
  Age: 'item."ageOnRaceDay"',
  Wave: 'CASE WHEN item."wave?.id" IS NOT NULL THEN item."wave?.title" END',
  Cancelled: 'item."cancelled"',
  ParticipantId: 'item."participantId"',
  ExternalParticipantId: 'item."externalParticipantId"',
  EventOccurrenceId: 'item."eventOccurrenceId"',
  RaceId: 'item."raceId"',
};

/** The questions whose answers follow the columns. */
export const timingHeader = ({ reads }: Caller): string[] => [
  ...Object.keys(TIMING_COLUMNS),
  ...questionsIn(reads),
];

/** The list as lines of CSV. */
export const TIMING_CSV: ListDeclaration = {
  ...TIMING_PARTICIPANTS,
  of: {
    ...TIMING_PARTICIPANTS.of,
    joins: (...given) => `${resolved(TIMING_PARTICIPANTS.of.joins, given)}
      CROSS JOIN LATERAL (SELECT ${resolved(TIMING_PARTICIPANTS.of.select, given)}) item
      ${lineOf(`ARRAY[${Object.values(TIMING_COLUMNS).map((sql) => `(${sql})::text`)}] || array(
          SELECT ${asText('item."answers"->question')} FROM unnest(${given[1](questionsIn(given[2].reads))}::text[])
            WITH ORDINALITY asked (question, place) ORDER BY place)`)}`,
    json: 'csv.line',
  },
};
