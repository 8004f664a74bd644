import { Body, Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { Act, type Acting, NEVER_REFUSED, Operation, type Repeatable } from '#platform/http';
import { OWNERS } from '../roles';
import {
  InvitedStaffMember,
  StaffInvitation,
  StaffMemberItem,
  StaffMembers,
  StaffRoleChange,
} from './staff.dto';
import { StaffService } from './staff.service';

/** A link is not stored, so a repetition creates another one. */
export const INVITED_ONCE: Repeatable = {
  made: (done) => (done as InvitedStaffMember).member.id,
  answer: ({ acting, id, get }) => get(StaffService).link(acting, id),
};

@Controller('console/v1/staff')
export class StaffController {
  constructor(private readonly staff: StaffService) {}

  @Get()
  @Operation({ ...OWNERS, name: 'listStaff', summary: 'List the staff', answers: StaffMembers })
  list(@Act() acting: Acting) {
    return this.staff.list(acting);
  }

  @Post()
  @Operation({
    ...OWNERS,
    name: 'inviteStaff',
    idempotent: INVITED_ONCE,
    summary: 'Invite a staff member',
    description: 'The response contains a link that signs the member in once.',
    body: StaffInvitation,
    answers: InvitedStaffMember,
  })
  invite(@Act() acting: Acting, @Body() body: StaffInvitation) {
    return this.staff.invite(acting, body);
  }

  @Patch(':id')
  @Operation({
    ...OWNERS,
    name: 'changeStaffRole',
    idempotent: { answer: ({ caller, id, get }) => get(StaffService).one(caller, id) },
    summary: 'Change the role of a staff member',
    body: StaffRoleChange,
    answers: StaffMemberItem,
  })
  changeRole(@Act() acting: Acting, @Param('id') id: string, @Body() { role }: StaffRoleChange) {
    return this.staff.changeRole(acting, id, role);
  }

  @Post(':id/reset')
  @Operation({
    ...OWNERS,
    name: 'resetStaff',
    rate: 'import',
    writes: NEVER_REFUSED,
    idempotent: INVITED_ONCE,
    summary: 'Create a sign-in link for a staff member',
    description: 'Their password, sessions and earlier links stop working.',
    answers: InvitedStaffMember,
  })
  reset(@Act() acting: Acting, @Param('id') id: string) {
    return this.staff.reset(acting, id);
  }

  @Delete(':id')
  @Operation({
    ...OWNERS,
    name: 'removeStaff',
    summary: 'Remove a staff member',
    description: 'Their sessions end within a second.',
    answers: StaffMemberItem,
  })
  remove(@Act() acting: Acting, @Param('id') id: string) {
    return this.staff.remove(acting, id);
  }
}
