import { token } from '../container/tokens.js'

/** The values each label may have; any other counts as `other`, so that no caller can make a time series. */
export type LabelValues = Readonly<Record<string, readonly string[]>>

export type Labels<Allowed extends LabelValues = LabelValues> = { readonly [Name in keyof Allowed]: string }

export interface MetricDefinition<Allowed extends LabelValues = LabelValues> {
  /** By the conventions of Prometheus: `causeway_`, the thing, its unit; `_total` for counters. */
  readonly name: string
  readonly help: string
  readonly labels: Allowed
}

export interface HistogramDefinition<Allowed extends LabelValues = LabelValues> extends MetricDefinition<Allowed> {
  /** Upper bounds, ascending. */
  readonly buckets: readonly number[]
}

export interface Counter<Allowed extends LabelValues> {
  add(labels: Labels<Allowed>, by?: number): void
}

export interface Histogram<Allowed extends LabelValues> {
  observe(labels: Labels<Allowed>, value: number): void
}

export interface Sample {
  /** Name of one of the source's gauges. */
  readonly gauge: string
  readonly labels: Labels
  readonly value: number
}

/** Gauges that are read together when metrics are asked for. */
export interface MetricSource {
  /** Label `source` of `causeway_metric_source_up`. */
  readonly name: string
  readonly gauges: readonly MetricDefinition[]
  /** All series of the gauges; what is left out disappears. May throw: the gauges are absent then. */
  read(): Promise<readonly Sample[]>
}

/**
 * What plugins and core measure with. A metric declared again under its name is the same one, so each part may declare what
 * it needs. Every label is bounded by the list it was declared with.
 */
export interface Metrics {
  counter<Allowed extends LabelValues>(definition: MetricDefinition<Allowed>): Counter<Allowed>
  histogram<Allowed extends LabelValues>(definition: HistogramDefinition<Allowed>): Histogram<Allowed>
  addSource(source: MetricSource): void
}

export const METRICS = token<Metrics>('core/Metrics')

/** What a label shows that was not declared. */
export const OTHER = 'other'

/** The same labels with everything undeclared replaced. */
export const boundLabels = (allowed: LabelValues, labels: Labels): Record<string, string> =>
  Object.fromEntries(
    Object.entries(allowed).map(([name, values]) => {
      const value = labels[name]
      return [name, value !== undefined && values.includes(value) ? value : OTHER]
    }),
  )
