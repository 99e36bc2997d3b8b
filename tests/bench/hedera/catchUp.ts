import v8 from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type HederaOptions, hederaAdapter } from '@causeway/chain-hederavm'
import { chainTesting, type LocalHedera, startLocalHedera } from '@causeway/chain-hederavm/testing'
import { environmentOf, systemClock } from '@causeway/core'
import { NOTHING_LIVE } from '@causeway/core/chain'
import { pino } from 'pino'
import type { BenchWorld } from '../benchWorld.js'
import type { Measurement } from '../table.js'

const CHAIN_ID = 71_098
const TRANSACTIONS = 10_000
const IN_A_BLOCK = 100
const LIMIT_MS = 30_000
/** Twice the transactions may take so much more time. */
const LINEAR = 2.6
const BYTES_IN_MB = 1_000_000
const LIMIT_MB = 10
const FUNDS = 1_000_000_000_000n

/** (y) How long the watcher takes to read transactions that all are deposits, and how much live memory that takes. */
export const measureCatchUp = async ({ scale, say }: BenchWorld): Promise<Measurement[]> => {
  const count = scale.rounds > 1 ? TRANSACTIONS : TRANSACTIONS / 10
  const [user, depository] = ['01', '02'].map((byte) => chainTesting.keyOf(Buffer.from(byte.repeat(32), 'hex')).address)
  if (user === undefined || depository === undefined) throw new Error('There are no two accounts')
  // A detached network, so that its memory is not counted.
  const chain = await startLocalHedera({ chainId: CHAIN_ID, blockMs: 0, detached: true })
  try {
    for (const address of [user, depository]) await chain.fund(address, FUNDS)
    const startBlock = (await chain.height()) + 1
    const seen = { depository, startBlock }
    say(`catching up on Hedera: ${count} transactions`)
    await seed(chain, { user, depository }, count / 2)
    await catchUp(chain, seen, count / 2)
    const half = await catchUp(chain, seen, count / 2)
    await seed(chain, { user, depository }, count / 2)
    const whole = await catchUp(chain, seen, count)
    const before = liveHeap()
    let most = before
    await catchUp(chain, seen, count, () => {
      most = Math.max(most, liveHeap())
    })
    return [
      {
        case: 'y',
        what: `watcher catches up ${count} transactions of Hedera, all of them deposits`,
        unit: 'ms',
        value: whole,
        target: { of: 'value', limit: LIMIT_MS, better: 'less' },
      },
      {
        case: 'y',
        what: 'catching up on Hedera, all transactions against half of them',
        unit: 'ms',
        value: whole,
        floor: half,
        floorIs: 'half of the transactions',
        target: { of: 'ratio', limit: LINEAR, better: 'less' },
      },
      {
        case: 'y',
        what: 'live heap that catching up on Hedera adds at most',
        unit: 'MB',
        value: Math.max(0.1, (most - before) / BYTES_IN_MB),
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

type Body = Parameters<LocalHedera['apply']>[0]

const seed = async (chain: LocalHedera, { user, depository }: Parties, transactions: number): Promise<void> => {
  const alias = (address: string) => ({ alias: Buffer.from(address.slice(2), 'hex') })
  const body = () => {
    orders += 1
    const accountAmounts = [
      { accountID: alias(user), amount: -orders },
      { accountID: alias(depository), amount: orders },
    ]
    const memo = `0x${orders.toString(16).padStart(64, '0')}`
    // CAST: protobufs take numbers for fields of 64 bits.
    return { memo, cryptoTransfer: { transfers: { accountAmounts } } } as unknown as Body
  }
  for (let at = 0; at < transactions; at += IN_A_BLOCK)
    await chain.apply(...Array.from({ length: IN_A_BLOCK }, () => body()))
}

interface Seen {
  readonly depository: string
  readonly startBlock: number
}

/** Bytes of what is referred to. Resident memory also counts garbage that nobody collected yet. */
const liveHeap = (): number => {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

v8.setFlagsFromString('--expose-gc')
// CAST: the flag makes the function.
const collectGarbage = runInNewContext('gc') as () => void

/** Milliseconds until a new adapter that begins with the first block delivered so many deposits. */
const catchUp = async (
  chain: LocalHedera,
  { depository, startBlock }: Seen,
  expected: number,
  onPage: () => void = () => undefined,
): Promise<number> => {
  const options: HederaOptions = { depository, startBlock, pollIntervalMs: 50, mirrorLagBlocks: 0 }
  const adapter = hederaAdapter(options, {
    config: {
      ...{ id: CHAIN_ID, slug: 'atoll', name: 'atoll', package: '@causeway/chain-hederavm', rpc: [chain.endpoint] },
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
      onPage()
      if (seen.size >= expected) break
    }
    return performance.now() - startedAt
  } finally {
    control.abort()
    await adapter.stop()
  }
}
