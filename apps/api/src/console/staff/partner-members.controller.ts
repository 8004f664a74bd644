import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { Act, type Acting, Operation } from '#platform/http';
import { OWNERS } from '../roles';
import { INVITED_ONCE } from './staff.controller';
import { InvitedStaffMember, PartnerInvitation, StaffMembers } from './staff.dto';
import { StaffService } from './staff.service';

/** People who work for a partner. They are reset and removed as staff are. */
@Controller('console/v1/partners/:id/members')
export class PartnerMembersController {
  constructor(private readonly staff: StaffService) {}

  @Get()
  @Operation({
    ...OWNERS,
    name: 'listPartnerMembers',
    summary: 'List the members of a partner',
    answers: StaffMembers,
  })
  list(@Act() acting: Acting, @Param('id') id: string) {
    return this.staff.listOfPartner(acting, id);
  }

  @Post()
  @Operation({
    ...OWNERS,
    name: 'invitePartnerMember',
    idempotent: INVITED_ONCE,
    summary: 'Invite a member of a partner',
    description:
      'With the role `PARTNER`, which sees and changes what [keys of the partner](/docs/keys) can. The response contains a link that signs the member in once.',
    body: PartnerInvitation,
    answers: InvitedStaffMember,
  })
  invite(@Act() acting: Acting, @Param('id') id: string, @Body() body: PartnerInvitation) {
    return this.staff.inviteToPartner(acting, id, body);
  }
}
