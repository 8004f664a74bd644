import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { BodyPipe } from './bodies/body.pipe';
import { BodyReader } from './bodies/body-reader';
import { ErrorFilter } from './error.filter';
import { InputGuard } from './guards/input.guard';
import { KeyGuard } from './guards/key.guard';
import { SurfaceGuard } from './guards/surface.guard';
import { Lists } from './lists/lists';
import { Reads } from './lists/reads';
import { RateGuard } from './rate-limits/rate.guard';
import { RateLimitsModule } from './rate-limits/rate-limits.module';

/** What every route goes through. The guards stand in the order in which requests are refused. */
@Global()
@Module({
  imports: [DiscoveryModule, RateLimitsModule],
  providers: [
    ...[KeyGuard, RateGuard, SurfaceGuard, InputGuard].map((guard) => ({
      provide: APP_GUARD,
      useClass: guard,
    })),
    { provide: APP_PIPE, useClass: BodyPipe },
    { provide: APP_FILTER, useClass: ErrorFilter },
    BodyReader,
    Lists,
    Reads,
  ],
  exports: [Lists, Reads],
})
export class HttpModule {}
