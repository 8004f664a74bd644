import { Controller, Get } from '@nestjs/common';
import {
  type Caller,
  KeyIdentity,
  type KeyKind,
  onlyReads,
  PARTNER_PERMISSIONS,
  permissionsOf,
} from '#platform/access';
import { Call, Operation } from '#platform/http';

@Controller('identity')
export class IdentityController {
  @Get()
  @Operation({
    name: 'getIdentity',
    group: 'Identity',
    summary: 'Read the identity of the key',
    description: 'Available to every key, including restricted keys. Use it to test a key.',
    keys: ['ORGANIZER', 'MARKETPLACE', 'TIMING'],
    permission: 'identity:read',
    forPartners: true,
    scoped: 'always',
    rate: 'wide',
    answers: KeyIdentity,
  })
  identity(
    @Call()
    { organizationId, sandbox, eventOccurrenceIds, endpoints, permissions, readOnly, kind, partner }: Caller,
  ): KeyIdentity {
    const all = partner ? PARTNER_PERMISSIONS : permissionsOf(kind as KeyKind);
    const implied = readOnly ? onlyReads(all) : partner ? all : [];
    return {
      organiserId: organizationId,
      test: sandbox,
      eventOccurrenceIds: [...(eventOccurrenceIds ?? [])],
      endpoints: [...(endpoints ?? [])],
      permissions: [...(permissions ?? implied)],
      partnerId: partner?.id ?? null,
      restricted:
        eventOccurrenceIds !== null ||
        endpoints !== null ||
        permissions !== null ||
        partner !== null ||
        readOnly,
    };
  }
}
