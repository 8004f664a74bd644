import { Injectable } from '@nestjs/common';
import {
  Counter,
  type CounterConfiguration,
  collectDefaultMetrics,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  type HistogramConfiguration,
  type MetricObjectWithValues,
  type MetricValueWithName,
  Registry,
} from 'prom-client';
import { releaseVersion } from '#platform/config';
import { type AskedGauges, askedGauges } from './asked-gauges';

const FRESH_MS = 1_000;

/**
 * The metrics of the process, for Prometheus. Each domain declares its own. Labels have a bounded number of values, and do
 * not identify an organization or a person.
 */
@Injectable()
export class Metrics {
  private readonly registry = new Registry();
  private written = { at: Number.NEGATIVE_INFINITY, text: Promise.resolve('') };
  private readonly unanswered = this.counter({
    name: 'startline_scrape_questions_failed_total',
    help: 'Queries for a scrape that failed, by collector; the gauges of the collector are then missing.',
    labelNames: ['about'],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    const help = 'Always 1; the labels say which release and which Node runs.';
    const build = this.gauge({ name: 'startline_build_info', help, labelNames: ['version', 'node'] });
    build.set({ version: releaseVersion(), node: process.versions.node }, 1);
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

  /** A gauge of this process, read at each scrape. */
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
   * Gauges whose values are in the database or the queue. Every process serves them, so that they are available while any
   * process runs.
   *
   * @param about the name of the collector in the count of failed queries
   */
  ask(about: string, question: Omit<AskedGauges, 'onFailure'>): void {
    this.unanswered.inc({ about }, 0);
    askedGauges(this.registry, { ...question, onFailure: () => this.unanswered.inc({ about }) });
  }

  /** Cumulative since the start of the process. */
  values() {
    return this.registry.getMetricsAsJSON() as Promise<MetricObjectWithValues<MetricValueWithName<string>>[]>;
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** The route is public, so they are written at most once a second. */
  text(): Promise<string> {
    if (performance.now() - this.written.at > FRESH_MS)
      this.written = { at: performance.now(), text: this.registry.metrics() };
    return this.written.text;
  }
}
