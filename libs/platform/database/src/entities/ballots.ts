import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import { Ticket } from './events';
import { Holds } from './holds';
import { NOW, OwnedIndex, OwnedRow, References } from './owned-row';
import { StartListEntry } from './start-list';

/** A draw of the pending applications of a ballot ticket. The same seed and applications give the same lots. */
@Entity('ballot_draws')
@References(() => Ticket, 'ticketId')
@Unique(['organizationId', 'ticketId', 'number'])
@OwnedIndex('ballot_draws_open_idx', ['ticketId'], { unique: true, where: 'finished_at IS NULL' })
export class BallotDraw extends OwnedRow {
  @Column('uuid') ticketId: string;

  /** From 1, per ticket. */
  @Column('int') number: number;
  @Holds('organizer', 'text') seed: string;

  /** Units of the ticket to draw: entries, or teams. */
  @Column('int') places: number;

  /** Whether applications that are not drawn stay pending instead of being rejected. */
  @Column('boolean') keepsPending: boolean;

  /** Units that were drawn so far. */
  @Column('int', { default: 0 }) drawnUnits: number;
  @Holds('platform', 'text') actorType: string;
  @Holds('staff', 'text', { nullable: true }) actorId: string | null;
  @Column(NOW) createdAt: Date;

  /** When the set of participating applications was complete. */
  @Column('timestamptz', { nullable: true }) collectedAt: Date | null;
  @Column('timestamptz', { nullable: true }) finishedAt: Date | null;
}

/**
 * `DECIDED`: another change decided it, or cancelled its booking, during the draw. `FULL`: its race or wave had no
 * place left. `DUPLICATE`: its person has a lot by an earlier application.
 */
export type BallotOutcome = 'DRAWN' | 'NOT_DRAWN' | 'DECIDED' | 'FULL' | 'DUPLICATE';

/** An application in a draw. */
@Entity('ballot_draw_entries')
@References(() => BallotDraw, 'ballotDrawId')
@References(() => StartListEntry, 'startListEntryId')
@OwnedIndex('ballot_draw_entries_lot_idx', ['ballotDrawId', 'lot'], { where: 'outcome IS NULL' })
@OwnedIndex('ballot_draw_entries_start_list_entry_id_idx', ['startListEntryId'])
export class BallotDrawEntry {
  @PrimaryColumn('uuid') organizationId: string;
  @PrimaryColumn('uuid') ballotDrawId: string;
  @PrimaryColumn('uuid') startListEntryId: string;

  /** The lowest lots are drawn. Entries that share a unit of the ticket have the same lot. */
  @Holds('platform', 'bytea') lot: Buffer;
  @Holds('platform', 'text', { nullable: true }) outcome: BallotOutcome | null;
}
