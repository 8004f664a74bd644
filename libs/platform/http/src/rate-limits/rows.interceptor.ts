import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type Observable, tap } from 'rxjs';
import { requestOf } from '../request';
import { DailyBytes } from './daily-bytes';

/** Counts the records of a response. */
@Injectable()
export class RowsInterceptor implements NestInterceptor {
  constructor(private readonly dailyBytes: DailyBytes) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { operation, caller } = requestOf(context);
    const { day, row } = operation?.writes ?? {};
    if (!day || !row) return next.handle();
    // The last request of a day may exceed it.
    const count = (answer: unknown) =>
      void this.dailyBytes.add(day, caller, row.bytes * row.rows(answer)).catch(() => {});
    return next.handle().pipe(tap(count));
  }
}
