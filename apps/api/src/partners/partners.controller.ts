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
  @Operation({
    name: 'listPartners',
    group: 'Partners',
    summary: 'List partners',
    keys: ['ORGANIZER'],
    permission: 'partners:read',
    forPartners: true,
    rate: 'wide',
    etag: true,
    answers: PARTNERS,
  })
  list(@Page() page: ListRequest) {
    return this.lists.page(PARTNERS, page);
  }

  @Post()
  @Operation({
    name: 'createPartner',
    idempotent: repeatedAs(PARTNER, madeBy()),
    group: 'Partners',
    summary: 'Create a partner',
    description:
      "If an external id belongs to another partner, the response is `400` and names the id, and nothing is written. A partner's key creates sub-partners of its partner, if `canCreateSubPartners` permits it.",
    keys: ['ORGANIZER'],
    permission: 'partners:write',
    forPartners: true,
    rate: 'wide',
    body: PartnerCreate,
    answers: Partner,
  })
  create(@Call() caller: Caller, @Act() { actor }: Acting, @Body() body: PartnerCreate) {
    return this.partners.create(caller, body, actor);
  }

  @Get('digest')
  @Operation(
    digestOperation(
      { name: 'getPartnersDigest', group: 'Partners', permission: 'partners:read' },
      'partners',
    ),
  )
  digest(@Call() caller: Caller, @QueryValues() { bucket }: { bucket?: string }) {
    return this.digests.of(PARTNERS, caller, bucket);
  }

  @Get(':id')
  @Operation({
    name: 'getPartner',
    group: 'Partners',
    summary: 'Read a partner',
    description: 'By its id, or by its id on the platform that `externalId` names.',
    keys: ['ORGANIZER'],
    permission: 'partners:read',
    forPartners: true,
    rate: 'wide',
    etag: true,
    ...NAMED,
    answers: Partner,
  })
  get(@Call() caller: Caller, @Param('id') id: string, @QueryValues() { externalId: externalIdType }: Named) {
    return this.partners.get(caller, { id, externalIdType });
  }

  @Patch(':id')
  @Operation({
    name: 'updatePartner',
    idempotent: repeatedAs(PARTNER, madeBy()),
    group: 'Partners',
    summary: 'Change a partner',
    description:
      'Properties that are absent do not change; others are replaced. `null` clears `description` and `defaultMarketing`. `externalIds` are merged by platform; `null` removes an id. An empty object changes nothing. Either all changes are written or none.',
    keys: ['ORGANIZER'],
    permission: 'partners:write',
    rate: 'wide',
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
