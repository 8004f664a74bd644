import { Body, Controller, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  PERSON_TYPES,
  PersonErasure,
  PersonErasureRequest,
  PersonExport,
  PersonFile,
  PersonsService,
} from '#domain/participants';
import { Act, type Acting, Operation, Sending } from '#platform/http';
import { MANAGERS } from '../roles';

/** A person in all events. The address is in bodies, because URLs are logged. */
@Controller('console/v1/persons')
export class PersonsController {
  constructor(
    private readonly persons: PersonsService,
    private readonly sending: Sending,
  ) {}

  @Post('export')
  @Operation({
    ...MANAGERS,
    name: 'exportPerson',
    summary: 'Export everything that is known of a person, to answer an access request',
    description:
      'As `startline person export`: the rows of all tables that an erasure would change. The response is a stream; a JSON that does not end or a document without `</html>` was cut off. Recorded in the audit log.',
    rate: 'export',
    body: PersonExport,
    answers: PersonFile,
    streams: { 'application/json': '', 'text/html': '<!doctype html><html lang="en">…</html>' },
  })
  async export(
    @Act() acting: Acting,
    @Body() { email, format = 'json', language }: PersonExport,
    @Res() response: Response,
  ): Promise<void> {
    const document = await this.persons.export(acting, email, format, language);
    await this.sending.stream(response, document, {
      'content-type': PERSON_TYPES[format],
      'content-disposition': `attachment; filename="person.${format}"`,
    });
  }

  @Post('erase')
  @Operation({
    ...MANAGERS,
    name: 'erasePerson',
    idempotent: {},
    summary: 'Permanently remove a person from all data, and keep their entries',
    description:
      'As `startline person erase`: first the rows of imports, then credits, contacts of partners, and bookings with their entries; finally the address is removed from all other texts. Each step is a transaction, and an erasure that was interrupted can be repeated. With `dryRun`, nothing changes. Recorded in the audit log at its start and its end.',
    rate: 'export',
    body: PersonErasureRequest,
    answers: PersonErasure,
  })
  erase(
    @Act() acting: Acting,
    @Body() { email, dryRun = false }: PersonErasureRequest,
  ): Promise<PersonErasure> {
    return this.persons.erase(acting, email, dryRun);
  }
}
