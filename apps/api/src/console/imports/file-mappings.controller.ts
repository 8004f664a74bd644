import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import {
  deleteFileMapping,
  FILE_MAPPING,
  FILE_MAPPINGS,
  FileMappingDetail,
  FileMappingSaved,
  saveFileMapping,
} from '#domain/imports';
import type { Caller } from '#platform/access';
import { Database } from '#platform/database';
import { Act, type Acting, Call, madeBy, Operation, Page, repeatedAs } from '#platform/http';
import { type JsonText, type ListRequest, Lists, Reads } from '#platform/queries';
import { MANAGERS } from '../roles';

@Controller('console/v1/file-mappings')
export class FileMappingsController {
  constructor(
    private readonly database: Database,
    private readonly lists: Lists,
    private readonly reads: Reads,
  ) {}

  @Get()
  @Operation({
    ...MANAGERS,
    name: 'listFileMappings',
    summary: 'List the saved mappings of files, oldest first',
    answers: FILE_MAPPINGS,
  })
  list(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(FILE_MAPPINGS, page);
  }

  @Get(':id')
  @Operation({
    ...MANAGERS,
    name: 'getFileMapping',
    summary: 'Read a saved mapping of files',
    answers: FileMappingDetail,
  })
  one(@Call() caller: Caller, @Param('id') id: string): Promise<JsonText> {
    return this.reads.one(FILE_MAPPING, caller, id);
  }

  @Post()
  @Operation({
    ...MANAGERS,
    name: 'saveFileMapping',
    idempotent: repeatedAs(FILE_MAPPING, madeBy()),
    summary: 'Save a mapping of files',
    description:
      'The staff of the organization share mappings. A mapping of the same import with the same name is replaced.',
    body: FileMappingSaved,
    answers: FileMappingDetail,
  })
  async save(
    @Call() caller: Caller,
    @Act() { organizationId, actor }: Acting,
    @Body() body: FileMappingSaved,
  ): Promise<JsonText> {
    const by = { organizationId, memberId: actor.id as string };
    const id = await this.database
      .of(organizationId)
      .transaction((manager) => saveFileMapping(manager, by, body));
    return this.reads.one(FILE_MAPPING, caller, id);
  }

  @Delete(':id')
  @Operation({
    ...MANAGERS,
    name: 'deleteFileMapping',
    summary: 'Delete a saved mapping of files',
    answers: FileMappingDetail,
  })
  async delete(@Call() caller: Caller, @Param('id') id: string): Promise<JsonText> {
    const deleted = await this.reads.one(FILE_MAPPING, caller, id);
    await this.database
      .of(caller.organizationId)
      .transaction((manager) => deleteFileMapping(manager, caller.organizationId, id));
    return deleted;
  }
}
