import type { Ledger } from './ledger';
import type { Asked, Loop, Requests } from './requests';
import { CANCELLABLE, type Target } from './target';

interface Imported {
  jobId: string;
  externalIds: string[];
}

/** People in the console: they read, cancel bookings, and undo imports. */
export class Staff {
  private readonly asked: Asked;
  private readonly tried = new Set<string>();
  private imported: Imported | undefined;
  /** Whether a request to undo the import may have succeeded without a response. */
  private mayBeUndone = false;

  /** @param importing imports bookings that nobody else cancels */
  constructor(
    private readonly requests: Requests,
    private readonly ledger: Ledger,
    target: Target,
    private readonly importing: () => Promise<Imported>,
  ) {
    const { cookie, organizationId } = target.staff;
    const headers = { cookie, 'sec-fetch-site': 'same-origin', 'x-startline-organization': organizationId };
    this.asked = { headers, token: '' };
  }

  get loops(): Loop[] {
    return [
      [() => this.cancel(), 150],
      [() => this.undo(), 200],
    ];
  }

  /** Cancels one of the newest bookings. */
  private async cancel(): Promise<void> {
    if (
      !(await this.requests.ask('staff read', `/console/v1/participants?search=${CANCELLABLE}`, this.asked))
    )
      return;
    const newest = await this.requests.ask('participants read', '/v0/participants?sort%5BcreatedAt%5D=-1');
    const found = newest?.body.data.find(
      ({ externalBookingId, bookingId }: Record<string, string>) =>
        externalBookingId?.startsWith(CANCELLABLE) && !this.tried.has(bookingId as string),
    );
    if (!found) return;
    this.tried.add(found.bookingId);
    const path = `/v0/bookings/${found.bookingId}`;
    if (await this.requests.ask('staff cancelled a booking', path, { ...this.asked, method: 'DELETE' }))
      this.ledger.cancelled.push(found.bookingId);
  }

  /** Undoes an import when it is finished. */
  private async undo(): Promise<void> {
    if (!this.imported) {
      this.imported = await this.importing();
      this.ledger.bookings.push(...this.imported.externalIds);
    }
    const { jobId, externalIds } = this.imported;
    const path = `/console/v1/import-jobs/${jobId}`;
    const job = await this.requests.ask('import job read by staff', path, this.asked);
    if (job?.body.status !== 'COMPLETED') return;
    const reply = await this.requests.ask('import undone', `/v0/import-jobs/${jobId}/undo`, {
      ...this.asked,
      method: 'POST',
      body: {},
      // Nothing is left to undo.
      expected: this.mayBeUndone ? [200, 400] : [200],
    });
    this.mayBeUndone = !reply;
    if (!reply) return;
    this.ledger.undone.push(...externalIds);
    this.imported = undefined;
  }
}
