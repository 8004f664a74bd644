import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  PERSON_FORMATS,
  PERSON_LANGUAGES,
  PERSON_TYPES,
  PERSON_WORK,
  PersonErasureRequest,
  PersonExport,
  PersonFile,
  type PersonFormat,
  type PersonLanguage,
  PersonsService,
  PersonWork,
} from '#domain/participants';
import type { Caller } from '#platform/access';
import {
  Act,
  type Acting,
  Call,
  madeBy,
  NEVER_REFUSED,
  Operation,
  RECORD,
  repeatedAs,
  Sending,
} from '#platform/http';
import { type JsonText, oneOf, Reads } from '#platform/queries';
import { MANAGERS } from '../roles';

/** A person in all events. The address is in bodies, because URLs are logged. */
@Controller('console/v1')
export class PersonsController {
  constructor(
    private readonly persons: PersonsService,
    private readonly reads: Reads,
    private readonly sending: Sending,
  ) {}

  @Post('persons/export')
  @Operation({
    ...MANAGERS,
    name: 'exportPerson',
    writes: RECORD,
    idempotent: repeatedAs(PERSON_WORK, madeBy()),
    summary: 'Find everything that is known of a person, to answer an access request',
    description:
      'As `startline person export`: the rows of all tables that an erasure would change. A worker finds them; when the work is `COMPLETED`, read the file. Recorded in the audit log.',
    rate: 'export',
    body: PersonExport,
    answers: PersonWork,
  })
  export(@Call() caller: Caller, @Act() { actor }: Acting, @Body() { email }: PersonExport) {
    return this.persons.request(caller, actor, { kind: 'EXPORT', email });
  }

  @Post('persons/erase')
  @Operation({
    ...MANAGERS,
    name: 'erasePerson',
    writes: NEVER_REFUSED,
    idempotent: repeatedAs(PERSON_WORK, madeBy()),
    summary: 'Permanently remove a person from all data, and keep their entries',
    description:
      'As `startline person erase`, by a worker: first the rows of imports, then credits, contacts of partners, and bookings with their entries; finally the address is removed from all other texts. With `dryRun`, nothing changes. Recorded in the audit log at its start and its end.',
    rate: 'export',
    body: PersonErasureRequest,
    answers: PersonWork,
  })
  erase(
    @Call() caller: Caller,
    @Act() { actor }: Acting,
    @Body() { email, dryRun = false }: PersonErasureRequest,
  ) {
    return this.persons.request(caller, actor, { kind: 'ERASE', email, dryRun });
  }

  @Get('person-jobs/:id')
  @Operation({
    ...MANAGERS,
    name: 'getPersonWork',
    summary: 'Read the progress and the result of an export, erasure or redaction',
    answers: PersonWork,
  })
  one(@Call() caller: Caller, @Param('id') id: string): Promise<JsonText> {
    return this.reads.one(PERSON_WORK, caller, id);
  }

  @Get('person-jobs/:id/file')
  @Operation({
    ...MANAGERS,
    name: 'getPersonFile',
    summary: 'Read the file of an export that is completed',
    description:
      'What the export found, as it is now. The response is a stream; a JSON that does not end or a document without `</html>` was cut off.',
    rate: 'export',
    query: {
      format: oneOf('The format: `json`, or `html` for a document to read and print.', PERSON_FORMATS),
      language: oneOf('The language of the document.', PERSON_LANGUAGES),
    },
    answers: PersonFile,
    streams: { 'application/json': '', 'text/html': '<!doctype html><html lang="en">…</html>' },
  })
  async file(
    @Act() { organizationId }: Acting,
    @Param('id') id: string,
    @Query() { format = 'json', language }: { format?: PersonFormat; language?: PersonLanguage },
    @Res() response: Response,
  ): Promise<void> {
    const document = await this.persons.file(organizationId, id, { format, language });
    await this.sending.stream(response, document, {
      'content-type': PERSON_TYPES[format],
      'content-disposition': `attachment; filename="person.${format}"`,
    });
  }
}
