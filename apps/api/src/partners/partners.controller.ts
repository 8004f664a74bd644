import { Body, Controller, Get, Param, Patch, Post } from '@nestjs/common';
import {
  type ExternalIdType,
  PARTNER,
  PARTNERS,
  Partner,
  PartnerCreate,
  PartnersService,
  PartnerUpdate,
} from '#domain/partners';
import type { Caller } from '#platform/access';
import {
  Act,
  type Acting,
  Call,
  digestOperation,
  madeBy,
  Operation,
  Page,
  QueryValues,
  repeatedAs,
} from '#platform/http';
import { Digests, type ListRequest, Lists, oneOf } from '#platform/queries';
import { EXTERNAL_ID_TYPES } from '#platform/validation';
import { operationsOf } from '../operations-of';

const READ = { ...operationsOf('Partners', 'partners:read'), forPartners: true, etag: true } as const;
const WRITE = operationsOf('Partners', 'partners:write');

/** Identifies the partner in both operations on a single partner. */
const NAMED = {
  query: {
    externalId: oneOf(
      'The type of the external id, if the id in the path is an external id.',
      EXTERNAL_ID_TYPES,
    ),
  },
  foreignIds: ['id'],
  foreignIdsWith: 'externalId',
} as const;

interface Named {
  externalId?: ExternalIdType;
}

@Controller('v0/partners')
export class PartnersController {
  constructor(
    private readonly partners: PartnersService,
    private readonly lists: Lists,
    private readonly digests: Digests,
  ) {}

  @Get()
  @Operation({ ...READ, name: 'listPartners', summary: 'List partners', answers: PARTNERS })
  list(@Page() page: ListRequest) {
    return this.lists.page(PARTNERS, page);
  }

  @Post()
  @Operation({
    ...WRITE,
    name: 'createPartner',
    idempotent: repeatedAs(PARTNER, madeBy()),
    summary: 'Create a partner',
    description:
      "If an external id belongs to another partner, the response is `400` and names the id, and nothing is written. A partner's key creates sub-partners of its partner, if `canCreateSubPartners` permits it.",
    forPartners: true,
    body: PartnerCreate,
    answers: Partner,
  })
  create(@Call() caller: Caller, @Act() { actor }: Acting, @Body() body: PartnerCreate) {
    return this.partners.create(caller, body, actor);
  }

  @Get('digest')
  @Operation(digestOperation('getPartnersDigest', 'Partners', 'partners:read', 'partners'))
  digest(@Call() caller: Caller, @QueryValues() { bucket }: { bucket?: string }) {
    return this.digests.of(PARTNERS, caller, bucket);
  }

  @Get(':id')
  @Operation({
    ...READ,
    name: 'getPartner',
    summary: 'Read a partner',
    description: 'By its id, or by its id on the platform that `externalId` names.',
    ...NAMED,
    answers: Partner,
  })
  get(@Call() caller: Caller, @Param('id') id: string, @QueryValues() { externalId: externalIdType }: Named) {
    return this.partners.get(caller, { id, externalIdType });
  }

  @Patch(':id')
  @Operation({
    ...WRITE,
    name: 'updatePartner',
    idempotent: repeatedAs(PARTNER, madeBy()),
    summary: 'Change a partner',
    description:
      'Properties that are absent do not change; others are replaced. `null` clears `description` and `defaultMarketing`. `externalIds` are merged by platform; `null` removes an id. An empty object changes nothing. Either all changes are written or none.',
    ...NAMED,
    body: PartnerUpdate,
    answers: Partner,
  })
  update(
    @Call() caller: Caller,
    @Act() { actor }: Acting,
    @Param('id') id: string,
    @QueryValues() { externalId: externalIdType }: Named,
    @Body() body: PartnerUpdate,
  ) {
    return this.partners.update(caller, { id, externalIdType }, body, actor);
  }
}
