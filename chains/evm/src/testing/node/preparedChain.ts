import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { oncePerRun } from '@causeway/core/testing'
import { type LocalChainOptions, type LocalEvmChain, startLocalChain } from './localChain.js'

/** Time for the first caller to deploy, milliseconds. */
const PREPARE_MS = 120_000

/** A running chain, and what its preparation returned. */
export interface PreparedChain<T> {
  readonly chain: LocalEvmChain
  readonly prepared: T
}

/**
 * Starts a chain from saved state. `prepare` runs once per test run and `name`, on a chain without interval mining; its result must be
 * JSON. All chains of a name share their first blocks, whatever their chain ids.
 */
export const startPreparedChain = async <T>(
  options: LocalChainOptions,
  name: string,
  prepare: (chain: LocalEvmChain) => Promise<T>,
): Promise<PreparedChain<T>> => {
  const folder = await oncePerRun(
    `evm-${createHash('sha256').update(name).digest('hex').slice(0, 12)}`,
    async (made) => {
      const chain = await startLocalChain({ chainId: options.chainId })
      try {
        const result = await prepare(chain)
        await chain.saveState(join(made, 'state.json'))
        writeFileSync(join(made, 'prepared.json'), JSON.stringify(result))
      } finally {
        await chain.close()
      }
    },
    PREPARE_MS,
  )
  const chain = await startLocalChain({ ...options, loadStatePath: join(folder, 'state.json') })
  // A head as old as the saved state looks like that of a node which stands still.
  await chain.mine()
  // CAST: the caller's own `prepare` returned it.
  const prepared = JSON.parse(readFileSync(join(folder, 'prepared.json'), 'utf8')) as T
  return { chain, prepared }
}
