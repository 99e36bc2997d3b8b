import { type Job, pause } from '@causeway/core/plugin'
import type { Logger } from 'pino'

export interface JobSupervisorDeps {
  readonly log: Logger
  onRestart?(job: string): void
  /** Wait before the first restart; doubles up to `maxBackoffMs`. */
  readonly minBackoffMs?: number
  readonly maxBackoffMs?: number
}

/** Which role a job is of matters to who starts it, not to how it runs. */
export type SupervisedJob = Omit<Job, 'role'>

interface RunningJob {
  readonly job: SupervisedJob
  readonly stop: AbortController
  readonly ended: Promise<void>
}

/** A job that ran this long was healthy: the next failure counts as the first again. */
const HEALTHY_MS = 60_000

/** Runs jobs, starts again what throws, and stops them in reverse order. */
export class JobSupervisor {
  readonly #deps: JobSupervisorDeps
  readonly #running: RunningJob[] = []

  constructor(deps: JobSupervisorDeps) {
    this.#deps = deps
  }

  start(job: SupervisedJob): void {
    const stop = new AbortController()
    this.#running.push({ job, stop, ended: this.#keepRunning(job, stop.signal) })
  }

  /** Ends the jobs, the last started first. One that does not end within `graceMs` is named in the log and left behind. */
  async stop(graceMs: number): Promise<void> {
    for (const { job, stop, ended } of this.#running.splice(0).reverse()) {
      stop.abort()
      const late = new AbortController()
      const outcome = await Promise.race([ended.then(() => 'ended'), pause(graceMs, late.signal).then(() => 'late')])
      late.abort()
      if (outcome === 'late') this.#deps.log.warn({ job: job.name, graceMs }, 'a job did not end in time')
    }
  }

  async #keepRunning(job: SupervisedJob, signal: AbortSignal): Promise<void> {
    const { log, minBackoffMs = 500, maxBackoffMs = 30_000 } = this.#deps
    let failures = 0
    while (!signal.aborted) {
      const started = performance.now()
      try {
        await job.run(signal)
        return
      } catch (error) {
        if (signal.aborted) return
        failures = performance.now() - started > HEALTHY_MS ? 1 : failures + 1
        const waitMs = Math.min(minBackoffMs * 2 ** (failures - 1), maxBackoffMs)
        this.#deps.onRestart?.(job.name)
        log.error({ job: job.name, err: error, failures, waitMs }, 'a job failed and starts again')
        await pause(waitMs, signal)
      }
    }
  }
}
