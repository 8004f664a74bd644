import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import {
  APPLICATIONS_FOR_STAFF,
  ApplicationDecision,
  ApplicationDecisions,
  ApplicationDecisionsService,
  ApplicationsByTicket,
  BALLOT_FOR_STAFF,
  BALLOTS_FOR_STAFF,
  BallotDraw,
  BallotDrawRequest,
  BallotsService,
  MatchingApplications,
  StaffBallot,
} from '#domain/participants';
import type { Caller } from '#platform/access';
import { Act, type Acting, Call, NOTHING, Operation, Page, RECORD, recordsOf } from '#platform/http';
import { type JsonText, type ListRequest, Lists, Reads } from '#platform/queries';
import { MANAGERS, READERS } from '../roles';

/** Applications, decisions about them, and ballots. */
@Controller('console/v1')
export class ApplicationsController {
  constructor(
    private readonly reads: Reads,
    private readonly lists: Lists,
    private readonly decisions: ApplicationDecisionsService,
    private readonly ballots: BallotsService,
  ) {}

  @Get('applications')
  @Operation({
    ...READERS,
    name: 'listStaffApplications',
    summary: 'List applications, newest first',
    answers: APPLICATIONS_FOR_STAFF,
  })
  list(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(APPLICATIONS_FOR_STAFF, page);
  }

  @Post('applications/by-ticket')
  @Operation({
    ...MANAGERS,
    name: 'countApplicationsByTicket',
    summary: 'Count the pending applications that match, by ticket',
    writes: NOTHING,
    body: MatchingApplications,
    answers: ApplicationsByTicket,
  })
  byTicket(
    @Call() { organizationId }: Caller,
    @Body() body: MatchingApplications,
  ): Promise<ApplicationsByTicket> {
    return this.decisions.byTicket(organizationId, body);
  }

  @Post('applications/decide')
  @Operation({
    ...MANAGERS,
    name: 'decideApplications',
    writes: recordsOf('decided'),
    idempotent: {
      answer: ({ acting, body, get }) =>
        get(ApplicationDecisionsService).decided(acting, body as ApplicationDecision),
    },
    summary: 'Approve, reject or withdraw pending applications',
    description:
      'Has the effects of `startline application approve`, `reject` and `withdraw`: an approval takes a place of ticket, race and wave, and each decision is recorded in the audit log. Of several decisions about an application, the first applies; the others are `refused` with `NOT_PENDING`.',
    body: ApplicationDecision,
    answers: ApplicationDecisions,
  })
  decide(@Act() acting: Acting, @Body() body: ApplicationDecision): Promise<ApplicationDecisions> {
    return this.decisions.decide(acting, body);
  }

  @Get('ballots')
  @Operation({
    ...READERS,
    name: 'listBallots',
    summary: 'List the tickets whose applications are decided by a ballot, newest first',
    answers: BALLOTS_FOR_STAFF,
  })
  tickets(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(BALLOTS_FOR_STAFF, page);
  }

  @Get('ballots/:id')
  @Operation({
    ...READERS,
    name: 'getBallot',
    summary: 'Read the ballot of a ticket, with its pending applications, its remaining places and its draws',
    answers: StaffBallot,
  })
  ballot(@Call() caller: Caller, @Param('id') id: string): Promise<JsonText> {
    return this.reads.one(BALLOT_FOR_STAFF, caller, id);
  }

  @Post('ballots/:id/draw')
  @Operation({
    ...MANAGERS,
    name: 'drawBallot',
    // Of several steps.
    writes: { ...RECORD, request: 10_000_000 },
    idempotent: {},
    summary: 'Draw pending applications of a ticket',
    description:
      'As `startline ballot draw`, with the same result: those with the lowest lots are approved, the others rejected. A lot is the SHA-256 of the seed, `/`, and the id of the application. The draw has an order that the seed determines, so publish the seed before you know the applications. A request makes the next steps of the draw: repeat it until `isFinished` is true.',
    body: BallotDrawRequest,
    answers: BallotDraw,
  })
  draw(@Act() acting: Acting, @Param('id') id: string, @Body() body: BallotDrawRequest): Promise<BallotDraw> {
    return this.ballots.draw(acting, id, body);
  }
}
