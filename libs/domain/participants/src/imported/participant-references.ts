import { type KnownTicket, storedTicketsById, wavesById } from '#domain/catalogue';
import type { BOOKER_TYPES, BOOKING_SOURCES, FieldAnswer } from '#platform/database';
import type { ImportContext } from '#platform/import-rows';
import { type Problem, problem, within } from '#platform/import-rows';
import { Questions } from './imported-answers';
import { Bibs, type PlacedBib } from './imported-bibs';
import type { ImportedParticipant, ImportedTeam, StartListParticipant } from './imported-participant.dto';
import type { TeamName } from './teams';

/** A row with participants, and what their entries show of their booking. */
export interface RowOfParticipants {
  eventOccurrenceId: string;
  participants: StartListParticipant[];
  booker: { email: string };
  bookerType?: (typeof BOOKER_TYPES)[number];
  partnerId?: string | null;
  source?: (typeof BOOKING_SOURCES)[number] | null;
  sourcePlatform?: string | null;
  createdAt?: string | null;
  metadata?: Record<string, unknown>;
}

/** What a row says of a participant; a correction of one says only what changes. */
export type GivenParticipant = Pick<StartListParticipant, 'ticketId'> & Partial<StartListParticipant>;

export interface Placed {
  participant: GivenParticipant;
  /** In the row; empty if the row is about this participant alone. */
  path: string;
  /** The entry that is corrected, which keeps its ticket although that is deleted, its place in the booking, and its charge. */
  entry?: { ticket_id: string; participant_index: number; charged: unknown } | undefined;
}

export const placed = ({ participants }: Pick<RowOfParticipants, 'participants'>): Placed[] =>
  participants.map((participant, i) => ({ participant, path: `participants[${i}]` }));

/** The tickets, waves and questions that the participants of a chunk's rows may refer to. */
export class ParticipantReferences {
  private constructor(
    private readonly tickets: Map<string, KnownTicket>,
    private readonly waves: Awaited<ReturnType<typeof wavesById>>,
    private readonly questions: Questions,
  ) {}

  static async of(
    context: ImportContext,
    participants: Pick<ImportedParticipant, 'ticketId' | 'waveId'>[],
  ): Promise<ParticipantReferences> {
    return new ParticipantReferences(
      await storedTicketsById(
        context,
        participants.map(({ ticketId }) => ticketId),
      ),
      await wavesById(
        context,
        participants.map(({ waveId }) => waveId),
      ),
      await Questions.of(context),
    );
  }

  problemOf(eventOccurrenceId: string, given: Placed[]): Problem | undefined {
    for (const each of given) {
      const found = this.problemOfParticipant(each, eventOccurrenceId);
      if (found) return found;
    }
    return this.problemOfBibs(given);
  }

  private problemOfParticipant(
    { participant, path, entry }: Placed,
    eventOccurrenceId: string,
  ): Problem | undefined {
    const { ticketId, waveId, approvalStatus = 'APPROVED' } = participant;
    const ticket = this.tickets.get(ticketId);
    const isGone = ticket?.isDeleted && ticketId !== entry?.ticket_id;
    if (ticket?.eventOccurrenceId !== eventOccurrenceId || isGone) {
      return problem(within(path, 'ticketId'), 'TICKET_NOT_FOUND', 'is not a ticket of the event occurrence');
    }
    if (waveId && this.waves.get(waveId)?.raceId !== ticket.raceId) {
      return problem(within(path, 'waveId'), 'WAVE_NOT_FOUND', "is not a wave of the ticket's race");
    }
    if (approvalStatus && approvalStatus !== 'APPROVED' && ticket.approval === 'INSTANT') {
      return problem(
        within(path, 'approvalStatus'),
        'INVALID_APPROVAL',
        `can't be ${approvalStatus}: the ticket's approval is INSTANT`,
      );
    }
    return this.questions.problemOf(participant, ticket.fieldIds, path);
  }

  private problemOfBibs(given: Placed[]): Problem | undefined {
    const seen = new Bibs([]);
    for (const bib of this.bibsOf(given)) {
      if (seen.has(bib)) return problem(bib.path, 'BIB_NUMBER_TAKEN', 'occurs twice in the booking');
      seen.add(bib);
    }
    return undefined;
  }

  /** Call it for rows without a problem. */
  ticketOf({ ticketId }: Pick<ImportedParticipant, 'ticketId'>): KnownTicket {
    return this.tickets.get(ticketId) as KnownTicket;
  }

  /** The answers of a participant, with the questions of the ticket. */
  answersOf(participant: GivenParticipant): FieldAnswer[] {
    const { fieldIds } = this.tickets.get(participant.ticketId) ?? { fieldIds: [] };
    return this.questions.answers(fieldIds, participant, participant.fields);
  }

  /** The participant with answers that name their questions by id. */
  answeredByIds(participant: GivenParticipant): GivenParticipant {
    const { fields } = participant;
    return fields ? { ...participant, fields: this.questions.byIds(fields) } : participant;
  }

  /** Bibs, with their paths. */
  bibsOf(given: Placed[]): PlacedBib[] {
    return given.flatMap(({ participant: { bibNumber, ticketId }, path }) => {
      const ticket = this.tickets.get(ticketId);
      return bibNumber && ticket ? { raceId: ticket.raceId, bibNumber, path: within(path, 'bibNumber') } : [];
    });
  }

  /** Of bibs that are given or taken away. */
  racesOfBibs(given: Placed[]): string[] {
    return given.flatMap(({ participant: { bibNumber, ticketId } }) =>
      bibNumber === undefined ? [] : (this.tickets.get(ticketId)?.raceId ?? []),
    );
  }

  teamsOf(eventOccurrenceId: string, participants: { team?: ImportedTeam | null }[]): TeamName[] {
    return participants.flatMap(({ team }) => (team ? { eventOccurrenceId, name: team.name } : []));
  }
}
