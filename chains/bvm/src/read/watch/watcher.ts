import type { Json } from '@causeway/core'
import type { ChainDeps, WatchPage } from '@causeway/core/chain'
import { type WakeSignal, type WatchStep, watchLoop } from '@causeway/core/chain-kit'
import type { SourcePool } from '../../rpc/sourcePool.js'
import { type Cursor, decodeCursor } from './cursor.js'
import { DepositReader, type DepositReaderDeps } from './depositReader.js'

const MAX_REST_MS = 30_000

export interface WatcherDeps extends DepositReaderDeps {
  readonly pool: SourcePool
  readonly startHeight: bigint | null
  readonly pollIntervalMs: number
  readonly wake: WakeSignal
  readonly logger: ChainDeps['logger']
}

/** Reads from a cursor on, polling: neither API tells of new blocks by itself. */
export const watchPages = (stored: Json, signal: AbortSignal, deps: WatcherDeps): AsyncGenerator<WatchPage> => {
  const { pool, startHeight } = deps
  const reader = new DepositReader(deps)
  const step = async (from: Cursor): Promise<WatchStep<Cursor>> => {
    const read = await pool.ask((source) => reader.step(source, from))
    if (read === null) return { cursor: from, page: null, rest: 'full' }
    return { cursor: read.cursor, page: read.page, rest: read.behind ? 'none' : 'full' }
  }
  const begin = async () =>
    stored === null ? pool.ask((source) => reader.begin(source, startHeight)) : decodeCursor(stored)
  return watchLoop<Cursor>(signal, { ...deps, begin, step, maxRestMs: MAX_REST_MS })
}
