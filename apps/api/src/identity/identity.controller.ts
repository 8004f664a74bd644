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
    summary: 'Read what the key is for',
    description: 'Always available, also to scoped keys: a good first call to try a key with.',
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
    };
  }
}
