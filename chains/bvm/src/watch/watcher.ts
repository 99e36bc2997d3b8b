import { type ChainDeps, type Json, ServiceError, type WatchPage } from '@causeway/core'
import type { SourcePool } from '../source/sourcePool.js'
import { type Cursor, decodeCursor } from './cursor.js'
import { DepositReader, type DepositReaderDeps } from './depositReader.js'
import type { Wake } from './wake.js'

const MAX_REST_MS = 30_000

export interface WatcherDeps extends DepositReaderDeps {
  readonly pool: SourcePool
  readonly startHeight: bigint | null
  readonly pollIntervalMs: number
  readonly wake: Wake
  readonly logger: ChainDeps['logger']
}

/** Reads deposits from a cursor on, polling: neither API tells of new blocks by itself. */
export async function* watchPages(stored: Json, signal: AbortSignal, deps: WatcherDeps): AsyncGenerator<WatchPage> {
  const { pool, wake, pollIntervalMs, logger } = deps
  const reader = new DepositReader(deps)
  let cursor: Cursor | null = stored === null ? null : decodeCursor(stored)
  let told = cursor?.blocks.at(-1)?.height ?? null
  let failures = 0
  while (!signal.aborted) {
    let behind = false
    try {
      const from: Cursor = cursor ?? (await pool.ask((source) => reader.begin(source, deps.startHeight)))
      cursor = from
      const step = await pool.ask((source) => reader.step(source, from))
      failures = 0
      if (signal.aborted) return
      if (step !== null) {
        behind = step.behind
        cursor = step.cursor
        const { deposits, height, rewoundTo } = step.page
        if (deposits.length > 0 || rewoundTo !== null || height !== told) yield step.page
        told = height
      }
    } catch (error) {
      if (!ServiceError.is(error)) throw error
      failures += 1
      logger.warn({ err: error, failures }, 'Deposits could not be read; trying again')
    }
    if (!behind) await wake.wait(Math.min(MAX_REST_MS, pollIntervalMs * 2 ** Math.min(failures, 5)), signal)
  }
}
