import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { FreshSource } from './freshSource.js'
import {
  boundLabels,
  type Counter as CounterOf,
  type HistogramDefinition,
  type Histogram as HistogramOf,
  type Labels,
  type LabelValues,
  type MetricDefinition,
  type MetricSource,
  type Metrics,
  type Sample,
} from './metrics.js'

export interface PromMetricsDeps {
  readonly registry: Registry
  /** How long what a source said is shown again. Default 3000. */
  readonly keepMs?: number
  /** How long a source may take. Default 2000. */
  readonly timeoutMs?: number
}

interface Source {
  readonly fresh: FreshSource
  readonly gauges: ReadonlyMap<string, { readonly gauge: Gauge; readonly labels: LabelValues }>
}

/** More combinations of labels than this are not shown before they happen. */
const MAX_INITIAL = 300

/** Metrics over a registry of prom-client. */
export class PromMetrics implements Metrics {
  readonly #registry: Registry
  readonly #keepMs: number
  readonly #timeoutMs: number
  readonly #sources = new Map<string, Source>()
  readonly #up: Gauge<'source'>

  constructor({ registry, keepMs = 3_000, timeoutMs = 2_000 }: PromMetricsDeps) {
    this.#registry = registry
    this.#keepMs = keepMs
    this.#timeoutMs = timeoutMs
    this.#up = new Gauge({
      name: 'causeway_metric_source_up',
      help: '1 while the gauges of a source can be read; at 0 they are absent',
      labelNames: ['source'],
      registers: [registry],
    })
  }

  counter<Allowed extends LabelValues>({ name, help, labels }: MetricDefinition<Allowed>): CounterOf<Allowed> {
    const counter = this.#once(name, () => {
      const made = new Counter({ name, help, labelNames: Object.keys(labels), registers: [this.#registry] })
      // A series that begins at 1 has no increase for Prometheus: begin at 0.
      for (const set of combinations(labels)) made.inc(set, 0)
      return made
    })
    return { add: (given, by = 1) => counter.inc(boundLabels(labels, given), by) }
  }

  histogram<Allowed extends LabelValues>(definition: HistogramDefinition<Allowed>): HistogramOf<Allowed> {
    const { name, help, labels, buckets } = definition
    const histogram = this.#once(name, () => {
      const options = { name, help, labelNames: Object.keys(labels), buckets: [...buckets] }
      const made = new Histogram({ ...options, registers: [this.#registry] })
      for (const set of combinations(labels)) made.zero(set)
      return made
    })
    return { observe: (given, value) => histogram.observe(boundLabels(labels, given), value) }
  }

  addSource(source: MetricSource): void {
    if (this.#sources.has(source.name)) throw new Error(`The metric source ${source.name} is there already`)
    const gauges = source.gauges.map(({ name, help, labels }) => {
      const gauge = new Gauge({ name, help, labelNames: Object.keys(labels), registers: [this.#registry] })
      return [name, { gauge, labels }] as const
    })
    const fresh = new FreshSource({ source, keepMs: this.#keepMs, timeoutMs: this.#timeoutMs })
    this.#sources.set(source.name, { fresh, gauges: new Map(gauges) })
  }

  /** The text that Prometheus reads; a source that fails or is slow is left out. */
  async text(): Promise<string> {
    await Promise.all([...this.#sources].map(([name, source]) => this.#refresh(name, source)))
    return this.#registry.metrics()
  }

  async #refresh(name: string, { fresh, gauges }: Source): Promise<void> {
    const samples = await fresh.read()
    this.#up.set({ source: name }, samples === null ? 0 : 1)
    for (const { gauge } of gauges.values()) gauge.reset()
    for (const [key, sample] of largest(samples ?? [], gauges)) {
      const known = gauges.get(sample.gauge)
      if (known === undefined) throw new Error(`The metric source ${name} declares no gauge ${key}`)
      known.gauge.set(boundLabels(known.labels, sample.labels), sample.value)
    }
  }

  #once<Metric extends Counter | Histogram>(name: string, make: () => Metric): Metric {
    // CAST: one name is always declared by the same kind; prom-client refuses any other use of it.
    return (this.#registry.getSingleMetric(name) as Metric | undefined) ?? make()
  }
}

/** Samples by series; of several that became one (`other`), the largest. */
const largest = (samples: readonly Sample[], gauges: Source['gauges']): ReadonlyMap<string, Sample> => {
  const found = new Map<string, Sample>()
  for (const sample of samples) {
    const labels = gauges.get(sample.gauge)?.labels
    const key =
      labels === undefined ? sample.gauge : `${sample.gauge}${JSON.stringify(boundLabels(labels, sample.labels))}`
    const known = found.get(key)
    if (known === undefined || known.value < sample.value) found.set(key, sample)
  }
  return found
}

const combinations = (labels: LabelValues): Labels[] => {
  const size = Object.values(labels).reduce((product, values) => product * values.length, 1)
  if (size > MAX_INITIAL) return []
  return Object.entries(labels).reduce<Labels[]>(
    (sets, [name, values]) => sets.flatMap((set) => values.map((value) => ({ ...set, [name]: value }))),
    [{}],
  )
}
