import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { CataloguePart, CatalogueWrite, CatalogueWriter, type CatalogueWritten } from '#domain/catalogue';
import type { Caller } from '#platform/access';
import { Act, type Acting, Call, Operation } from '#platform/http';
import { WRITE_CATALOGUE } from '../../catalogue/catalogue.module';
import { MANAGERS } from '../roles';

@Controller('console/v1/catalogue')
export class StaffCatalogueController {
  constructor(private readonly writer: CatalogueWriter) {}

  @Put()
  @Operation({ ...MANAGERS, ...WRITE_CATALOGUE, name: 'writeCatalogueAsStaff' })
  write(@Act() acting: Acting, @Body() body: CatalogueWrite): Promise<CatalogueWritten> {
    return this.writer.write(acting, body);
  }

  @Get('event-occurrences/:id')
  @Operation({
    ...MANAGERS,
    name: 'getCatalogueOfOccurrence',
    summary: 'Read the part of the catalogue that an event occurrence consists of',
    description: 'As records of a catalogue file with ids, each with its version.',
    answers: CataloguePart,
  })
  part(@Call() { organizationId }: Caller, @Param('id') id: string): Promise<CataloguePart> {
    return this.writer.part(organizationId, id);
  }
}
