import { chainTesting, type LocalTron, startLocalTron, tokenPlan, words } from '@causeway/chain-tvm/testing'
import { depositoryBytecode } from '@causeway/contracts-abi'
import { NOTHING_LIVE } from '@causeway/core/chain'
import type { BenchWorld } from '../benchWorld.js'
import type { Measurement } from '../table.js'
import { adapterOf } from './adapterOf.js'

const CHAIN_ID = 71_096
const BLOCKS = 10_000
/** One block of so many has a deposit. */
const DEPOSIT_EVERY = 10
const LIMIT_MS = 30_000
/** Twice the blocks may take so much more time. */
const LINEAR = 2.6
const BYTES_IN_MB = 1_000_000
const LIMIT_MB = 60

/** (A) How long the watcher takes to read blocks of which one in ten has a deposit, and how much memory that adds. */
export const measureCatchUp = async ({ scale, say }: BenchWorld): Promise<Measurement[]> => {
  const count = scale.rounds > 1 ? BLOCKS : BLOCKS / 10
  const owner = chainTesting.keyOf(Buffer.alloc(32, 1)).address
  // A detached network, so that its memory is not counted.
  const chain = await startLocalTron({ chainId: CHAIN_ID, blockMs: 0, detached: true })
  try {
    const depository = await chain.deploy({ bytecode: depositoryBytecode + words(owner, owner), name: 'Depository' })
    const token = await chain.deploy(tokenPlan({ name: 'Dollar', symbol: 'USDC', decimals: 6 }))
    const seen = { depository, startBlock: (await chain.height()) + 1 }
    say(`catching up on Tron: ${count} blocks`)
    await seed(chain, { depository, token }, count / 2)
    await catchUp(chain, seen, count / 2)
    const half = await catchUp(chain, seen, count / 2)
    await seed(chain, { depository, token }, count / 2)
    const whole = await catchUp(chain, seen, count)
    // The first run fills caches of the process; the second one shows what is kept of each block.
    const before = process.memoryUsage().rss
    await catchUp(chain, seen, count)
    const grown = Math.max(1, (process.memoryUsage().rss - before) / BYTES_IN_MB)
    return [
      {
        case: 'A',
        what: `watcher catches up ${count} blocks of Tron, one in ten with a deposit`,
        unit: 'ms',
        value: whole,
        target: { of: 'value', limit: LIMIT_MS, better: 'less' },
      },
      {
        case: 'A',
        what: 'catching up on Tron, all blocks against half of them',
        unit: 'ms',
        value: whole,
        floor: half,
        floorIs: 'half of the blocks',
        target: { of: 'ratio', limit: LINEAR, better: 'less' },
      },
      {
        case: 'A',
        what: 'resident memory that catching up on Tron once more adds',
        unit: 'MB',
        value: grown,
        target: { of: 'value', limit: LIMIT_MB, better: 'less' },
      },
    ]
  } finally {
    await chain.close()
  }
}

interface Parties {
  readonly depository: string
  readonly token: string
}

const seed = async (chain: LocalTron, { depository, token }: Parties, blocks: number): Promise<void> => {
  for (let at = 0; at < blocks; at += DEPOSIT_EVERY) {
    await chain.fund(depository, 1n, token)
    await chain.advance(DEPOSIT_EVERY - 1)
  }
}

interface Seen {
  readonly depository: string
  readonly startBlock: number
}

/** Milliseconds until a new adapter that begins with the first block delivered the deposits of so many blocks. */
const catchUp = async (chain: LocalTron, { depository, startBlock }: Seen, blocks: number): Promise<number> => {
  const adapter = adapterOf({ depository, startBlock, pollIntervalMs: 50 }, { id: CHAIN_ID, endpoint: chain.endpoint })
  const control = new AbortController()
  await adapter.start(control.signal)
  const startedAt = performance.now()
  const seen = new Set<string>()
  try {
    for await (const { deposits } of adapter.watch(null, NOTHING_LIVE, control.signal)) {
      for (const { tx } of deposits) seen.add(tx.id)
      if (seen.size >= blocks / DEPOSIT_EVERY) break
    }
    return performance.now() - startedAt
  } finally {
    control.abort()
    await adapter.stop()
  }
}
