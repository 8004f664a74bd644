import { Controller, Get } from '@nestjs/common';
import { Attention, attention, entriesByDay, eventsToCome, Home } from '#domain/staff';
import type { Caller } from '#platform/access';
import { Database } from '#platform/database';
import { Call, Operation } from '#platform/http';
import { READERS } from '../roles';

@Controller('console/v1')
export class HomeController {
  constructor(private readonly database: Database) {}

  @Get('attention')
  @Operation({
    ...READERS,
    name: 'getAttention',
    summary: 'Read what needs a hand',
    description: 'Imports, webhook endpoints, races, applications and race-day messages.',
    answers: Attention,
  })
  async attention(@Call() { organizationId }: Caller): Promise<Attention> {
    return { data: await attention(this.database.of(organizationId), organizationId) };
  }

  @Get('home')
  @Operation({
    ...READERS,
    name: 'getHome',
    summary: 'Read the entries by day and the next events',
    answers: Home,
  })
  async home(@Call() { organizationId }: Caller): Promise<Home> {
    const database = this.database.of(organizationId);
    const [days, events] = await Promise.all([
      entriesByDay(database, organizationId),
      eventsToCome(database, organizationId),
    ]);
    return { days, events };
  }
}
