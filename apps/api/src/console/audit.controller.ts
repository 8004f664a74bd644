import { Controller, Get } from '@nestjs/common';
import { Operation, Page } from '#libs/http';
import { type ListRequest, Lists } from '#libs/resources';
import { AUDIT_LOG } from './audit.resource';

@Controller('console/v1/audit-log')
export class AuditController {
  constructor(private readonly lists: Lists) {}

  @Get()
  @Operation({
    name: 'listAuditLog',
    group: 'Console',
    summary: 'List the audit log, newest first',
    keys: [],
    roles: ['OWNER', 'MANAGER'],
    rate: 'wide',
    answers: AUDIT_LOG,
  })
  list(@Page() page: ListRequest) {
    return this.lists.page(AUDIT_LOG, page);
  }
}
