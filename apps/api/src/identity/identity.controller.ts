import { Controller, Get } from '@nestjs/common';
import type { Caller } from '#libs/access';
import { KeyIdentity } from '#libs/access';
import { Call, Operation } from '#libs/http';

@Controller('identity')
export class IdentityController {
  @Get()
  @Operation({
    name: 'getIdentity',
    group: 'Identity',
    summary: 'Read the identity of the key',
    description: 'Available to every key, including restricted keys. Use it to test a key.',
    keys: ['ORGANIZER', 'MARKETPLACE', 'TIMING'],
    scoped: 'always',
    rate: 'wide',
    answers: KeyIdentity,
  })
  identity(@Call() { organizationId, eventOccurrenceIds, endpoints }: Caller): KeyIdentity {
    return {
      organiserId: organizationId,
      eventOccurrenceIds: [...(eventOccurrenceIds ?? [])],
      endpoints: [...(endpoints ?? [])],
      restricted: eventOccurrenceIds !== null || endpoints !== null,
    };
  }
}
