import { worldCoverage } from '../actions/worldCoverage.js'
import type { SeedRun } from './seedWorker.js'

/** Counts what seeds did and cost, and tells it in one line. */
export class Progress {
  readonly #of: number
  readonly #startedAt: number
  #seeds = 0
  #problems = 0
  #payouts = 0
  #statements = 0
  #virtualMs = 0
  #cpuMs = 0
  readonly coverage = worldCoverage()

  /** `now` in milliseconds of any clock that only goes on, as later times are. */
  constructor(of: number, now: number) {
    this.#of = of
    this.#startedAt = now
  }

  add({ problems, payouts, statements, virtualMs, cpuMs, coverage }: SeedRun): void {
    this.#seeds += 1
    if (problems.length > 0) this.#problems += 1
    this.#payouts += payouts
    this.#statements += statements
    this.#virtualMs += virtualMs
    this.#cpuMs += cpuMs
    if (coverage !== null) this.coverage.merge(coverage)
  }

  /** `serverCpuMs`: what the servers of all workers took; null where nobody tells. */
  line(now: number, serverCpuMs: number | null): string {
    const seconds = Math.max(now - this.#startedAt, 1) / 1_000
    const each = (sum: number): number => sum / Math.max(this.#seeds, 1)
    const server = serverCpuMs === null ? '' : ` + ${(each(serverCpuMs) / 1_000).toFixed(2)}`
    return [
      `${this.#seeds} of ${this.#of} seeds`,
      `${(this.#seeds / seconds).toFixed(1)}/s`,
      `each ${(each(this.#cpuMs) / 1_000).toFixed(2)}${server} CPU s, ${Math.round(each(this.#statements))} statements`,
      `${each(this.#payouts).toFixed(1)} payouts in ${Math.round(each(this.#virtualMs) / 1_000)} s of its time`,
      this.#problems === 0 ? 'no problem' : `${this.#problems} with problems`,
    ].join(', ')
  }
}
