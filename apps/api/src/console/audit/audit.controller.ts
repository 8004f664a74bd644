import { Controller, Get } from '@nestjs/common';
import { AUDIT_LOG, HISTORY } from '#domain/staff';
import { Operation, Page } from '#platform/http';
import { type ListRequest, Lists } from '#platform/queries';
import { MANAGERS } from '../roles';

@Controller('console/v1')
export class AuditController {
  constructor(private readonly lists: Lists) {}

  @Get('audit-log')
  @Operation({
    ...MANAGERS,
    name: 'listAuditLog',
    summary: 'List the audit log, newest first',
    answers: AUDIT_LOG,
  })
  list(@Page() page: ListRequest) {
    return this.lists.page(AUDIT_LOG, page);
  }

  @Get('history')
  @Operation({
    ...MANAGERS,
    name: 'listHistory',
    summary: 'List what happened to a record, newest first',
    description:
      'From the audit log, the race-day log and the imports: of the record, and of what its page shows with it, such as the booking of a participant, or the event, races and tickets of an occurrence. Race-day messages that newer ones superseded are deleted after `RACE_DAY_LOG_DAYS`.',
    answers: HISTORY,
  })
  history(@Page() page: ListRequest) {
    return this.lists.page(HISTORY, page);
  }
}
