import { Body, Controller, Get, Param, Post, Put, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  CatalogueFile,
  CatalogueFiles,
  CataloguePart,
  CatalogueWriter,
  type CatalogueWritten,
  RecordsOfFile,
  StaffCatalogueWrite,
} from '#domain/catalogue';
import type { Caller } from '#platform/access';
import { Act, type Acting, Call, NOTHING, Operation } from '#platform/http';
import type { JsonText } from '#platform/queries';
import { WRITE_CATALOGUE } from '../../catalogue/catalogue.module';
import { MANAGERS } from '../roles';

@Controller('console/v1/catalogue')
export class StaffCatalogueController {
  constructor(
    private readonly writer: CatalogueWriter,
    private readonly files: CatalogueFiles,
  ) {}

  @Put()
  @Operation({ ...MANAGERS, ...WRITE_CATALOGUE, body: StaffCatalogueWrite, name: 'writeCatalogueAsStaff' })
  write(@Act() acting: Acting, @Body() body: StaffCatalogueWrite): Promise<CatalogueWritten> {
    return this.writer.write(acting, body);
  }

  @Post('files')
  @Operation({
    ...MANAGERS,
    name: 'readCatalogueFile',
    writes: NOTHING,
    summary: 'Read a catalogue file or a race calendar as records of the catalogue',
    description: 'Nothing is written: send the records with `PUT /console/v1/catalogue`.',
    rate: 'import',
    bodyLimit: 'catalogue',
    body: CatalogueFile,
    answers: RecordsOfFile,
  })
  readFile(
    @Call() { organizationId }: Caller,
    @Body() body: CatalogueFile,
    @Res({ passthrough: true }) response: Response,
  ): Promise<JsonText> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    return this.files.read(organizationId, body, gone.signal);
  }

  @Get('event-occurrences/:id')
  @Operation({
    ...MANAGERS,
    name: 'getCatalogueOfOccurrence',
    summary: 'Read the part of the catalogue that an event occurrence consists of',
    description: 'As records of a catalogue file with ids, each with its version.',
    answers: CataloguePart,
    large: true,
  })
  part(@Call() { organizationId }: Caller, @Param('id') id: string): Promise<JsonText> {
    return this.writer.part(organizationId, id);
  }
}
