import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE, DiscoveryModule, HttpAdapterHost } from '@nestjs/core';
import type { Settings } from '#platform/config';
import { Digests, Lists, Reads } from '#platform/queries';
import { BodyPipe } from './bodies/body.pipe';
import { BodyReader } from './bodies/body-reader';
import { ErrorFilter } from './error.filter';
import { Etags } from './etags/etags';
import { Versions } from './etags/versions';
import { BodyBandwidth } from './guards/body-bandwidth';
import { EtagGuard } from './guards/etag.guard';
import { InputGuard } from './guards/input.guard';
import { KeyGuard } from './guards/key.guard';
import { SurfaceGuard } from './guards/surface.guard';
import type { JsonAdapter } from './json-adapter';
import { DailyBytes } from './rate-limits/daily-bytes';
import { RateGuard } from './rate-limits/rate.guard';
import { RateLimitsModule } from './rate-limits/rate-limits.module';
import { HealthController } from './serving/health.controller';
import { MetricsController } from './serving/metrics.controller';
import { RequestLogModule } from './serving/request-log';
import { RequestMetrics } from './serving/request-metrics';
import { RequestMiddleware } from './serving/request-middleware';
import { Sending } from './serving/sending';

/** As much as a process can read beside other requests: a gigabit per second has four times as many. */
const BODY_BYTES_PER_SECOND = 33_554_432;

/** The guards, filter and pipe of every request. The order of the guards is the order of refusals. */
@Global()
@Module({
  imports: [DiscoveryModule, RateLimitsModule, RequestLogModule],
  providers: [
    ...[KeyGuard, RateGuard, SurfaceGuard, InputGuard, EtagGuard].map((guard) => ({
      provide: APP_GUARD,
      useClass: guard,
    })),
    { provide: APP_PIPE, useClass: BodyPipe },
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: BodyBandwidth, useFactory: () => new BodyBandwidth(BODY_BYTES_PER_SECOND) },
    BodyReader,
    DailyBytes,
    Digests,
    Etags,
    Lists,
    Reads,
    RequestMetrics,
    RequestMiddleware,
    {
      provide: Sending,
      useFactory: ({ httpAdapter }: HttpAdapterHost) => (httpAdapter as unknown as JsonAdapter).sending,
      inject: [HttpAdapterHost],
    },
    Versions,
  ],
  exports: [DailyBytes, Digests, Lists, Reads, Sending],
})
export class HttpModule {
  /** No metrics route if METRICS_PORT serves metrics. */
  static of(settings: Settings): DynamicModule {
    const controllers = settings.METRICS_PORT ? [HealthController] : [HealthController, MetricsController];
    return { module: HttpModule, controllers };
  }
}
