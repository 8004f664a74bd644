import { Body, Controller, Get, Param, Patch, Post } from '@nestjs/common';
import type { Caller } from '#libs/access';
import { EXTERNAL_ID_TYPES } from '#libs/database';
import { Call, Operation, Page, Query } from '#libs/http';
import {
  type ExternalIdType,
  PARTNERS,
  Partner,
  PartnerCreate,
  PartnersService,
  PartnerUpdate,
} from '#libs/partners';
import { type ListRequest, Lists, oneOf } from '#libs/resources';

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
  ) {}

  @Get()
  @Operation({
    name: 'listPartners',
    group: 'Partners',
    summary: 'List partners',
    keys: ['ORGANIZER'],
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
    group: 'Partners',
    summary: 'Create a partner',
    description:
      'If an external id belongs to another partner, the response is `400` and names the id, and nothing is written.',
    keys: ['ORGANIZER'],
    rate: 'wide',
    body: PartnerCreate,
    answers: Partner,
  })
  create(@Call() caller: Caller, @Body() body: PartnerCreate) {
    return this.partners.create(caller, body);
  }

  @Get(':id')
  @Operation({
    name: 'getPartner',
    group: 'Partners',
    summary: 'Read a partner',
    description: 'By its id, or by its id on the platform that `externalId` names.',
    keys: ['ORGANIZER'],
    rate: 'wide',
    etag: true,
    ...NAMED,
    answers: Partner,
  })
  get(@Call() caller: Caller, @Param('id') id: string, @Query() { externalId: externalIdType }: Named) {
    return this.partners.get(caller, { id, externalIdType });
  }

  @Patch(':id')
  @Operation({
    name: 'updatePartner',
    group: 'Partners',
    summary: 'Change a partner',
    description:
      'Properties that are absent do not change; others are replaced. `null` clears `description` and `defaultMarketing`. `externalIds` are merged by platform; `null` removes an id. An empty object changes nothing. Either all changes are written or none.',
    keys: ['ORGANIZER'],
    rate: 'wide',
    ...NAMED,
    body: PartnerUpdate,
    answers: Partner,
  })
  update(
    @Call() caller: Caller,
    @Param('id') id: string,
    @Query() { externalId: externalIdType }: Named,
    @Body() body: PartnerUpdate,
  ) {
    return this.partners.update(caller, { id, externalIdType }, body);
  }
}
