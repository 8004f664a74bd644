import { Body, Controller, Put } from '@nestjs/common';
import { CatalogueWrite, CatalogueWriter, type CatalogueWritten } from '#domain/catalogue';
import { Act, type Acting, Operation } from '#platform/http';
import { WRITE_CATALOGUE } from './catalogue-operation';

@Controller('v0/catalogue')
export class CatalogueController {
  constructor(private readonly writer: CatalogueWriter) {}

  @Put()
  @Operation({
    ...WRITE_CATALOGUE,
    name: 'writeCatalogue',
    group: 'Events',
    keys: ['ORGANIZER'],
    permission: 'catalogue:write',
    surface: 'catalogueWrite',
  })
  write(@Act() acting: Acting, @Body() body: CatalogueWrite): Promise<CatalogueWritten> {
    return this.writer.write(acting, body);
  }
}
