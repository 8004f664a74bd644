import { Body, Controller, Get, Param, Patch, Post } from '@nestjs/common';
import { Act, type Acting, NEVER_REFUSED, Operation, RECORD, type Repeatable } from '#platform/http';
import { OWNERS } from '../roles';
import { ApiKeyItem, ApiKeyRestriction, ApiKeyRotation, ApiKeys, IssuedApiKey, NewApiKey } from './keys.dto';
import { KeysService } from './keys.service';

/** The token is signed again. */
const ISSUED_ONCE: Repeatable = {
  made: (done) => (done as IssuedApiKey).key.id,
  answer: ({ caller, id, get }) => get(KeysService).issued(caller, id),
};
const CHANGED_ONCE: Repeatable = {
  answer: async ({ caller, id, get }) => (await get(KeysService).issued(caller, id)).key,
};

@Controller('console/v1/keys')
export class KeysController {
  constructor(private readonly keys: KeysService) {}

  @Get()
  @Operation({ ...OWNERS, name: 'listKeys', summary: 'List the API keys', answers: ApiKeys, large: true })
  list(@Act() acting: Acting) {
    return this.keys.list(acting);
  }

  @Post()
  @Operation({
    ...OWNERS,
    name: 'createKey',
    idempotent: ISSUED_ONCE,
    summary: 'Create an API key',
    description: 'The response contains the token. It is not stored and cannot be shown again.',
    body: NewApiKey,
    answers: IssuedApiKey,
  })
  create(@Act() acting: Acting, @Body() body: NewApiKey) {
    return this.keys.create(acting, body);
  }

  @Patch(':id')
  @Operation({
    ...OWNERS,
    name: 'restrictKey',
    idempotent: CHANGED_ONCE,
    summary: 'Change the restrictions of a key',
    description:
      'Permissions can be narrowed, never widened. A key that was created with occurrences or endpoints must keep one of the lists; other keys cannot get them.',
    body: ApiKeyRestriction,
    answers: ApiKeyItem,
  })
  restrict(@Act() acting: Acting, @Param('id') id: string, @Body() body: ApiKeyRestriction) {
    return this.keys.restrict(acting, id, body);
  }

  @Post(':id/rotate')
  @Operation({
    ...OWNERS,
    name: 'rotateKey',
    writes: RECORD,
    idempotent: ISSUED_ONCE,
    summary: 'Replace a key',
    description: 'Creates a key with the same rights. The old key expires after the overlap.',
    body: ApiKeyRotation,
    answers: IssuedApiKey,
  })
  rotate(@Act() acting: Acting, @Param('id') id: string, @Body() body: ApiKeyRotation) {
    return this.keys.rotate(acting, id, body);
  }

  @Post(':id/revoke')
  @Operation({
    ...OWNERS,
    name: 'revokeKey',
    writes: NEVER_REFUSED,
    idempotent: CHANGED_ONCE,
    summary: 'Revoke a key',
    description: 'Permanently. The change takes effect everywhere within a minute, usually within a second.',
    answers: ApiKeyItem,
  })
  revoke(@Act() acting: Acting, @Param('id') id: string) {
    return this.keys.revoke(acting, id);
  }
}
