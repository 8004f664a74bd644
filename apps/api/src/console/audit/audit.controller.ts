import { Controller, Get } from '@nestjs/common';
import { AUDIT_LOG } from '#domain/staff';
import { Operation, Page } from '#platform/http';
import { type ListRequest, Lists } from '#platform/queries';
import { MANAGERS } from '../roles';

@Controller('console/v1/audit-log')
export class AuditController {
  constructor(private readonly lists: Lists) {}

  @Get()
  @Operation({
    ...MANAGERS,
    name: 'listAuditLog',
    summary: 'List the audit log, newest first',
    answers: AUDIT_LOG,
  })
  list(@Page() page: ListRequest) {
    return this.lists.page(AUDIT_LOG, page);
  }
}
