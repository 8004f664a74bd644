import { Body, Controller, Get, Module, Post, Put } from '@nestjs/common';
import { Operation } from '#libs/http';

class Tally {
  handled: number;
}

/** How often each operation has done its work, over all apis of the test. */
export const handled = { createTally: 0, replaceTally: 0, readTally: 0 };

const count = (name: keyof typeof handled): Tally => ({ handled: ++handled[name] });
const declared = { group: 'Imports', summary: 'Count', keys: ['ORGANIZER'], answers: Tally } as const;

/** Operations of every kind of allowance that do nothing but count. */
@Controller('tally')
class TallyController {
  @Post()
  @Operation({ ...declared, name: 'createTally', rate: 'import', surface: 'bookingsImport', body: Object })
  create(@Body() _body: object) {
    return count('createTally');
  }

  @Put()
  @Operation({ ...declared, name: 'replaceTally', rate: 'import' })
  replace() {
    return count('replaceTally');
  }

  @Get()
  @Operation({ ...declared, name: 'readTally', rate: 'wide' })
  read() {
    return count('readTally');
  }
}

@Module({ controllers: [TallyController] })
export class TallyModule {}
