import type { WatchPage } from '../../chain/chainAdapter.js'
import type { ChainDeps } from '../../chain/chainPackage.js'
import { ServiceError } from '../../errors/serviceError.js'
import type { WakeSignal } from '../heads/wakeSignal.js'
import { type QuietPace, QuietPages } from './quietPages.js'

/** How long a short rest takes: a node was a moment behind, or contradicted itself while blocks were replaced. */
const SHORT_REST_MS = 50
/** Most steps that hints cause in so many milliseconds: a node may give as many hints as it likes. */
const HINTED = { steps: 20, ms: 1000 } as const
/** Longest rest after failures, unless told. */
const MAX_REST_MS = 10_000

/** What one step gave. */
export interface WatchStep<Cursor> {
  /** Where the next step reads on. */
  readonly cursor: Cursor
  /** What was read up to there; null when there is nothing to tell. Whether a page with nothing in it is told, the loop decides. */
  readonly page: WatchPage | null
  /** What comes before the next step: `none` where more waits to be read, `short` to ask again in a moment, `full` until a hint. */
  readonly rest: 'none' | 'short' | 'full'
}

export interface WatchLoopDeps<Cursor> {
  /** The stored cursor, read, or where a watcher without one begins. Asked again after a ServiceError. */
  readonly begin: () => Promise<Cursor>
  /** Reads on from a cursor. After a ServiceError it is asked for the same cursor again. */
  readonly step: (cursor: Cursor) => Promise<WatchStep<Cursor>>
  readonly wake: WakeSignal
  /** A full rest without hints; doubled with each failure in a row. */
  readonly pollIntervalMs: number
  /** The longest rest; 10 s if absent. */
  readonly maxRestMs?: number
  /** Absent: each new height is a page. */
  readonly quiet?: QuietPace
  readonly logger: ChainDeps['logger']
}

/**
 * The life of `watch(cursor, live, signal)`: reads step by step, tells pages, rests until a hint, backs off while nodes fail, and ends when
 * the signal aborts. A hint that comes during a step or while its page is stored is not lost. What is thrown that is no ServiceError ends
 * it: a programming error must not be tried again for ever.
 */
export async function* watchLoop<Cursor extends NonNullable<unknown>>(
  signal: AbortSignal,
  deps: WatchLoopDeps<Cursor>,
): AsyncGenerator<WatchPage> {
  const { wake, logger } = deps
  const quiet = new QuietPages(deps.quiet ?? null)
  let cursor: Cursor | null = null
  let failures = 0
  /** When the last rests that a hint may end ended. */
  const rested: number[] = []
  while (!signal.aborted) {
    const hints = wake.hints
    let step: WatchStep<Cursor> | null = null
    try {
      cursor ??= await deps.begin()
      step = await deps.step(cursor)
      cursor = step.cursor
      failures = 0
    } catch (error) {
      if (!ServiceError.is(error)) throw error
      // The endpoints are closed with the signal.
      if (signal.aborted) return
      failures += 1
      logger.warn({ err: error, failures }, 'The chain could not be read; trying again')
    }
    if (signal.aborted) return
    const page = step?.page ?? null
    if (page !== null && quiet.takes(page)) yield page
    if (step?.rest === 'short') await wake.rest(SHORT_REST_MS, signal)
    // Hints of before do not shorten a back-off; those that come during it do.
    else if (step === null) await wake.rest(backOff(failures, deps), signal)
    else if (step.rest === 'full') {
      await wake.rest(backOff(0, deps), signal, hints)
      rested.push(performance.now())
      if (rested.length > HINTED.steps) await pause((rested.shift() ?? 0) + HINTED.ms - performance.now(), signal)
    }
  }
}

/** Waits, whatever hints come, until the signal aborts. */
const pause = (ms: number, signal: AbortSignal): Promise<void> => {
  if (ms <= 0 || signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end, { once: true })
  })
}

const backOff = (
  failures: number,
  { pollIntervalMs, maxRestMs = MAX_REST_MS }: { readonly pollIntervalMs: number; readonly maxRestMs?: number },
): number => Math.min(maxRestMs, pollIntervalMs * 2 ** Math.min(failures, 5))
