import { Injectable } from '@nestjs/common';
import {
  Counter,
  type CounterConfiguration,
  collectDefaultMetrics,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  type HistogramConfiguration,
  Registry,
} from 'prom-client';
import { type AskedGauges, askedGauges } from './asked-gauges';
import { withFormerNames } from './renamed-metrics';

/**
 * The process's metrics, for Prometheus. Each domain declares its own here: what happens is counted where it happens,
 * and what is the case is read at a scrape. Labels come from bounded sets, and identify no organization or person.
 */
@Injectable()
export class Metrics {
  private readonly registry = new Registry();
  private readonly unanswered = this.counter({
    name: 'startline_scrape_questions_failed_total',
    help: 'Queries for a scrape that failed, by collector; the gauges of the collector are then missing.',
    labelNames: ['about'],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  counter<L extends string = never>(declared: CounterConfiguration<L>): Counter<L> {
    return new Counter({ ...declared, registers: [this.registry] });
  }

  histogram<L extends string = never>(declared: HistogramConfiguration<L>): Histogram<L> {
    return new Histogram({ ...declared, registers: [this.registry] });
  }

  gauge<L extends string = never>(declared: GaugeConfiguration<L>): Gauge<L> {
    return new Gauge({ ...declared, registers: [this.registry] });
  }

  /** A gauge of this process, which is read at each scrape. */
  watch(name: string, help: string, read: () => number): void {
    this.gauge({
      name,
      help,
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
