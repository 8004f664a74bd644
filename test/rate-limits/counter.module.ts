import { Controller, Get, Module, Post, Put } from '@nestjs/common';
import { Operation } from '#platform/http';

class Counter {
  handled: number;
}

/** The number of executions per operation, over all APIs of the test. */
export const handled = { createCounter: 0, replaceCounter: 0, readCounter: 0 };

const count = (name: keyof typeof handled): Counter => ({ handled: ++handled[name] });
const declared = {
  permission: 'bookings:import',
  group: 'Imports',
  summary: 'Count',
  keys: ['ORGANIZER'],
  answers: Counter,
} as const;

/** Operations of every rate limit class that only count. */
@Controller('counter')
class CounterController {
  @Post()
  @Operation({ ...declared, name: 'createCounter', rate: 'import', surface: 'bookingsImport' })
  create() {
    return count('createCounter');
  }

  @Put()
  @Operation({ ...declared, name: 'replaceCounter', rate: 'import' })
  replace() {
    return count('replaceCounter');
  }

  @Get()
  @Operation({ ...declared, name: 'readCounter', rate: 'wide' })
  read() {
    return count('readCounter');
  }
}

@Module({ controllers: [CounterController] })
export class CounterModule {}
