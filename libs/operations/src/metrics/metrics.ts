import { Injectable } from '@nestjs/common';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type AskedGauges, askedGauges } from './asked-gauges';
import { withFormerNames } from './renamed-metrics';

const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const JOB_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3_600];

/**
 * What Prometheus is told, by api and worker alike: what happens is counted where it happens, and what is the case
 * is read at a scrape. Every series' labels come from a bounded set, and name nobody.
 */
@Injectable()
export class Metrics {
  private readonly registry = new Registry();
  private readonly registers = [this.registry];

  private readonly requests = new Histogram({
    name: 'startline_request_seconds',
    help: 'Time from the first byte read to the last written, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: REQUEST_SECONDS,
    registers: this.registers,
  });
  private readonly refusals = new Counter({
    name: 'startline_rate_limit_refusals_total',
    help: 'Requests answered 429, by operation.',
    labelNames: ['operation'],
    registers: this.registers,
  });
  private readonly unanswered = new Counter({
    name: 'startline_scrape_questions_failed_total',
    help: 'Questions for a scrape that were not answered, by what was asked for: its gauges are missing then.',
    labelNames: ['about'],
    registers: this.registers,
  });

  readonly importsAccepted = new Counter({
    name: 'startline_imports_accepted_total',
    help: 'Imports accepted, by surface.',
    labelNames: ['surface'],
    registers: this.registers,
  });
  readonly importsFinished = new Counter({
    name: 'startline_imports_finished_total',
    help: 'Imports that came to their end, by surface and status: COMPLETED, or FAILED as a whole.',
    labelNames: ['surface', 'status'],
    registers: this.registers,
  });
  readonly importSeconds = new Histogram({
    name: 'startline_import_seconds',
    help: 'Time from an import accepted to its end, by surface.',
    labelNames: ['surface'],
    buckets: JOB_SECONDS,
    registers: this.registers,
  });
  readonly importRows = new Counter({
    name: 'startline_import_rows_total',
    help: 'Rows of imports with an outcome, by surface and outcome.',
    labelNames: ['surface', 'outcome'],
    registers: this.registers,
  });
  readonly importRowErrors = new Counter({
    name: 'startline_import_row_errors_total',
    help: 'Rows of imports that failed, by surface and code; INTERNAL is a defect of ours.',
    labelNames: ['surface', 'code'],
    registers: this.registers,
  });

  readonly queueJobSeconds = new Histogram({
    name: 'startline_queue_job_seconds',
    help: 'Time of a job in a worker, by queue and outcome: done, or failed and to be tried again.',
    labelNames: ['queue', 'outcome'],
    buckets: JOB_SECONDS,
    registers: this.registers,
  });
  readonly enqueueFailures = new Counter({
    name: 'startline_enqueue_failures_total',
    help: 'Jobs that could not be added to the queue, by queue. The sweeper finds their work later.',
    labelNames: ['queue'],
    registers: this.registers,
  });

  readonly webhookAttempts = new Counter({
    name: 'startline_webhook_attempts_total',
    help: 'Attempts to deliver a webhook, by outcome: delivered, failed and to be tried again, or given_up.',
    labelNames: ['outcome'],
    registers: this.registers,
  });
  readonly webhookSeconds = new Histogram({
    name: 'startline_webhook_attempt_seconds',
    help: 'Time that webhook endpoints took to answer.',
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 15],
    registers: this.registers,
  });

  readonly raceDayReceived = new Counter({
    name: 'startline_race_day_received_total',
    help: 'Race-day messages stored, by source: TIMING, or RACE_DAY for updates by organizers.',
    labelNames: ['source'],
    registers: this.registers,
  });
  readonly raceDayApplied = new Counter({
    name: 'startline_race_day_applied_total',
    help: 'Race-day messages dealt with; one that waited for its participant counts again.',
    registers: this.registers,
  });

  readonly maintenanceAt = new Gauge({
    name: 'startline_maintenance_success_timestamp_seconds',
    help: "When this worker's maintenance last went through; until it has, when the worker started.",
    registers: this.registers,
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    // A process without maintenance tells nothing of it.
    this.maintenanceAt.remove();
  }

  request(operation: string, status: number, seconds: number): void {
    this.requests.observe({ operation, status }, seconds);
    if (status === 429) this.refusals.inc({ operation });
  }

  /** A gauge of this process, which is read at each scrape. */
  watch(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: this.registers,
      collect() {
        this.set(read());
      },
    });
  }

  /**
   * Gauges whose values the database or the queue knows. Every process serves them, so that they are available while
   * any process runs.
   *
   * @param about names the collector in the count of failed scrapes
   */
  ask(about: string, question: Omit<AskedGauges, 'onFailure'>): void {
    this.unanswered.inc({ about }, 0);
    askedGauges(this.registry, { ...question, onFailure: () => this.unanswered.inc({ about }) });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  async text(): Promise<string> {
    return withFormerNames(await this.registry.metrics());
  }
}
