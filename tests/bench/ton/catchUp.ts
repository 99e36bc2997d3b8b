import { type TonOptions, tonAdapter } from '@causeway/chain-tonvm'
import { chainTesting, type LocalTon, startLocalTon } from '@causeway/chain-tonvm/testing'
import { environmentOf, systemClock } from '@causeway/core'
import { NOTHING_LIVE } from '@causeway/core/chain'
import { pino } from 'pino'
import type { BenchWorld } from '../benchWorld.js'
import type { Measurement } from '../table.js'
import { depositMessage } from './deposits.js'

const CHAIN_ID = 71_097
const TRANSACTIONS = 10_000
const IN_A_BLOCK = 100
const LIMIT_MS = 30_000
/** Twice the transactions may take so much more time. */
const LINEAR = 2.6
const BYTES_IN_MB = 1_000_000
const LIMIT_MB = 60

/** (z) How long the watcher takes to read transactions that all are deposits, and how much memory that adds. */
export const measureCatchUp = async ({ scale, say }: BenchWorld): Promise<Measurement[]> => {
  const count = scale.rounds > 1 ? TRANSACTIONS : TRANSACTIONS / 10
  const [user, depository] = ['01', '02'].map((byte) => chainTesting.keyOf(Buffer.from(byte.repeat(32), 'hex')).address)
  if (user === undefined || depository === undefined) throw new Error('There are no two accounts')
  // A detached network, so that its memory is not counted.
  const chain = await startLocalTon({ chainId: CHAIN_ID, blockMs: 0, detached: true })
  try {
    const startBlock = (await chain.height()) + 1
    const seen = { depository, startBlock }
    say(`catching up on TON: ${count} transactions`)
    await seed(chain, { user, depository }, count / 2)
    await catchUp(chain, seen, count / 2)
    const half = await catchUp(chain, seen, count / 2)
    await seed(chain, { user, depository }, count / 2)
    const whole = await catchUp(chain, seen, count)
    // The first run fills caches of the process; what is kept of each transaction shows in the second one.
    const before = process.memoryUsage().rss
    await catchUp(chain, seen, count)
    const grown = Math.max(1, (process.memoryUsage().rss - before) / BYTES_IN_MB)
    return [
      {
        case: 'z',
        what: `watcher catches up ${count} transactions of TON, all of them deposits`,
        unit: 'ms',
        value: whole,
        target: { of: 'value', limit: LIMIT_MS, better: 'less' },
      },
      {
        case: 'z',
        what: 'catching up on TON, all transactions against half of them',
        unit: 'ms',
        value: whole,
        floor: half,
        floorIs: 'half of the transactions',
        target: { of: 'ratio', limit: LINEAR, better: 'less' },
      },
      {
        case: 'z',
        what: 'resident memory that catching up on TON once more adds',
        unit: 'MB',
        value: grown,
        target: { of: 'value', limit: LIMIT_MB, better: 'less' },
      },
    ]
  } finally {
    await chain.close()
  }
}

let orders = 0

interface Parties {
  readonly user: string
  readonly depository: string
}

const seed = async (chain: LocalTon, { user, depository }: Parties, transactions: number): Promise<void> => {
  const message = () => {
    orders += 1
    const orderId = `0x${orders.toString(16).padStart(64, '0')}`
    return depositMessage({ from: user, to: depository, amount: 1_000_000n, orderId })
  }
  for (let at = 0; at < transactions; at += IN_A_BLOCK)
    await chain.apply(...Array.from({ length: IN_A_BLOCK }, () => message()))
}

interface Seen {
  readonly depository: string
  readonly startBlock: number
}

/** Milliseconds until a new adapter that begins with the first block delivered so many deposits. */
const catchUp = async (chain: LocalTon, { depository, startBlock }: Seen, expected: number): Promise<number> => {
  const options: TonOptions = { depository, startBlock, pollIntervalMs: 50 }
  const adapter = tonAdapter(options, {
    config: {
      ...{ id: CHAIN_ID, slug: 'islet', name: 'islet', package: '@causeway/chain-tonvm', rpc: [chain.endpoint] },
      ...{ currencies: [], confirmations: { fill: 1, success: 1, settle: 0, settleSeconds: 0 } },
      ...{ solver: depository, enabled: true, options: {} },
    },
    ...{ clock: systemClock, logger: pino({ level: 'silent' }), environment: environmentOf({}) },
  })
  const control = new AbortController()
  await adapter.start(control.signal)
  const startedAt = performance.now()
  const seen = new Set<string>()
  try {
    for await (const { deposits } of adapter.watch(null, NOTHING_LIVE, control.signal)) {
      for (const { tx, orderId } of deposits) if (orderId !== null) seen.add(tx.id)
      if (seen.size >= expected) break
    }
    return performance.now() - startedAt
  } finally {
    control.abort()
    await adapter.stop()
  }
}
