import type { Logger } from 'pino'
import type { Disagreement } from '../../../chain/endpoint/endpointHealth.js'
import type { HeadPace } from './headPace.js'
import type { HeadRace, Lateness } from './headRace.js'

/** While an endpoint is not answering, not believed or late it is asked again after this at the latest. */
const RECOVERY_MS = 1000
/** How often rounds come while it is open whether one is late: four times in the usual time between heads, within these. */
const OPEN_MS = { least: 250, most: 1000 } as const
/** Of the time for which no head came, such a part passes between rounds while one may stand still. */
const OVERDUE_PART = 4

export interface CheckRoundsDeps {
  /** One comparison of all endpoints. */
  check(): Promise<void>
  /** What is known of the endpoints now. */
  endpoints(): readonly EndpointState[]
  readonly race: Pick<HeadRace<unknown>, 'isOpen'>
  readonly pace: Pick<HeadPace, 'usualMs' | 'overdueMs'>
  readonly intervalMs: number
  readonly logger: Logger
}

interface EndpointState {
  readonly failure: string | null
  readonly distrust: string | null
  readonly lateness: Lateness
}

/** Has the endpoints of a chain compared with each other from time to time, and tells when they contradict each other. */
export class CheckRounds {
  readonly #deps: CheckRoundsDeps
  readonly #listeners = new Set<(disagreement: Disagreement) => void>()
  #timer: NodeJS.Timeout | null = null
  #checkedAt = Number.NEGATIVE_INFINITY
  #running = false
  #isSilent = false

  constructor(deps: CheckRoundsDeps) {
    this.#deps = deps
  }

  start(): void {
    if (this.#running) return
    this.#running = true
    this.#schedule()
  }

  stop(): void {
    this.#running = false
    if (this.#timer !== null) clearTimeout(this.#timer)
  }

  /** A comparison begins now, by whomever it was asked for. */
  began(): void {
    this.#checkedAt = performance.now()
  }

  onDisagreement(listener: (disagreement: Disagreement) => void, signal: AbortSignal): void {
    if (signal.aborted) return
    this.#listeners.add(listener)
    signal.addEventListener('abort', () => this.#listeners.delete(listener), { once: true })
  }

  report(disagreement: Disagreement): void {
    for (const listener of this.#listeners) listener(disagreement)
  }

  /** Says once that the only node that answers shows no new head, and once that it does again. */
  tellSilence(silence: string | null): void {
    const { logger } = this.#deps
    if ((silence !== null) === this.#isSilent) return
    this.#isSilent = silence !== null
    if (silence === null) logger.info('The only node of this chain that answers shows new blocks again')
    else logger.warn({ reason: silence }, 'The only node of this chain that answers may stand still')
  }

  #schedule(): void {
    if (!this.#running) return
    const { logger, check } = this.#deps
    const tick = this.#tickMs()
    this.#timer = setTimeout(() => {
      const round = performance.now() - this.#checkedAt >= this.#waitMs() - tick / 2 ? check() : Promise.resolve()
      round
        .catch((error: unknown) => logger.warn({ err: error }, 'The nodes could not be compared'))
        .finally(() => this.#schedule())
    }, tick)
  }

  #tickMs(): number {
    const { pace, intervalMs } = this.#deps
    return Math.min(intervalMs, OPEN_MS.most, Math.max(OPEN_MS.least, pace.usualMs / 4))
  }

  /** How long after the last comparison the next one is due, as things are now. */
  #waitMs(): number {
    const { race, pace, endpoints, intervalMs } = this.#deps
    const waits = [intervalMs]
    if (endpoints().some(isIll)) waits.push(RECOVERY_MS)
    if (race.isOpen) waits.push(this.#tickMs())
    const overdue = pace.overdueMs(performance.now())
    if (overdue !== null) waits.push(Math.max(this.#tickMs(), overdue / OVERDUE_PART))
    return Math.min(...waits)
  }
}

const isIll = ({ failure, distrust, lateness }: EndpointState): boolean =>
  failure !== null || distrust !== null || lateness !== 'none'
