import type { LocalAccount } from '@causeway/chain-evm/testing'
import { multiDepositAbi, multiDepositBytecode, transferFloodAbi, transferFloodBytecode } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import { createPool } from '@causeway/core/plugin'
import type { Pool } from 'pg'
import { type Address, encodeFunctionData } from 'viem'
import type { HostProcess } from '../../harness/host/hostProcess.js'
import { quoteOverHttp } from '../../harness/httpTransfer.js'
import { NATIVE, type NetworkChain, userOf } from '../../harness/localNetwork.js'
import { freshAddress, receiptOf } from '../../harness/transfer.js'
import { until } from '../../harness/until.js'
import { type BenchWorld, waitUntilQuoting } from '../benchWorld.js'
import type { Measurement } from '../table.js'
import { TransferSource } from '../transfers.js'

const USER = 4
const STRANGER = 5
/** Of one transaction: what the gas of a test chain's block holds. */
const TRANSFERS_AT_ONCE = 5_000
const DUST_AT_ONCE = 500
const HEAVY_CALL_BYTES = 99_000
const DELAY_MS = 200
const PENDING_MS = 2_000
const GROWTH_MB = 150
/** A host that stands still is not waited for any longer. */
const PATIENCE_MS = 180_000

interface FloodWorld {
  readonly world: BenchWorld
  readonly host: HostProcess
  readonly pool: Pool
  readonly origin: NetworkChain
  readonly stranger: LocalAccount
}

/** What an ordinary deposit right after the flood saw, and the host with it. */
interface Seen {
  readonly pendingMs: number
  /** Until nothing was left to decide or to pay. */
  readonly quietMs: number
  readonly answerMs: number
  readonly delayMs: number
  readonly megabytes: number
  /** By how much the database grew, megabytes. */
  readonly grownBy: number
}

/**
 * (s) One stranger's transactions full of worthless transfers to the depository, then thousands of one-unit deposits under an order
 * whose calls are heavy: what the next ordinary deposit, other answers and the host's memory notice of it (faults.md F132).
 */
export const measureFlood = async (world: BenchWorld): Promise<Measurement[]> => {
  const databaseUrl = await world.createDatabase()
  const host = await world.startHost({ databaseUrl })
  await waitUntilQuoting(world, host.url)
  const pool = createPool({ connectionString: databaseUrl, max: 2, applicationName: 'causeway bench' })
  const [origin] = world.network.chains
  const flooded: FloodWorld = { world, host, pool, origin, stranger: userOf(world.network, STRANGER) }
  const source = await TransferSource.open(world, USER)
  const { transfers, dust } = world.scale.flood
  try {
    const quiet = await watchNext(flooded, source, async () => undefined)
    const ofTransfers = await watchNext(flooded, source, await prepareTransfers(flooded, transfers))
    const stored = await sizeOfDeposits(pool)
    const ofDust = await watchNext(flooded, source, await prepareDust(flooded, dust))
    return [
      ...measurementsOf(`${transfers} transfers`, ofTransfers, quiet),
      { case: 's', what: `deposits stored for ${transfers} transfers`, unit: 'rows', value: stored },
      ...measurementsOf(`${dust} dust deposits`, ofDust, quiet),
    ]
  } finally {
    await pool.end()
    await world.stopHost(host)
  }
}

const measurementsOf = (of: string, seen: Seen, quiet: Seen): Measurement[] => [
  {
    case: 's',
    what: `next deposit to pending after ${of}`,
    unit: 'ms',
    value: seen.pendingMs,
    floor: quiet.pendingMs,
    floorIs: 'the same without',
    target: { of: 'value', limit: PENDING_MS, better: 'less' },
  },
  { case: 's', what: `all decided and paid after ${of}`, unit: 'ms', value: seen.quietMs },
  { case: 's', what: `growth of the database by ${of}`, unit: 'MB', value: seen.grownBy },
  {
    case: 's',
    what: `slowest answer of GET /lives after ${of}`,
    unit: 'ms',
    value: seen.answerMs,
    floor: quiet.answerMs,
    floorIs: 'the same without',
  },
  {
    case: 's',
    what: `event loop delay after ${of}`,
    unit: 'ms',
    value: seen.delayMs,
    floor: quiet.delayMs,
    floorIs: 'the same without',
    target: { of: 'value', limit: DELAY_MS, better: 'less' },
  },
  {
    case: 's',
    what: `resident memory after ${of}`,
    unit: 'MB',
    value: seen.megabytes,
    floor: quiet.megabytes,
    floorIs: 'before it',
    target: { of: 'value', limit: quiet.megabytes + GROWTH_MB, better: 'less' },
  },
]

/** Floods, then sends an ordinary deposit at once, and looks at the host until everything is decided. */
const watchNext = async (flooded: FloodWorld, source: TransferSource, flood: () => Promise<unknown>): Promise<Seen> => {
  const { host, pool, origin } = flooded
  const [next] = await source.prepare(host.url, 1)
  if (next === undefined) throw new Error('No transfer was prepared.')
  await readMetrics(host)
  const sizeBefore = await sizeOfDatabase(pool)
  const answers = watchAnswers(host)
  try {
    await flood()
    const sentAt = performance.now()
    await source.depositor.sendAll([next.deposit])
    const pendingMs = await untilOrPatience(() => isPending(pool, next.requestId), sentAt)
    const quietMs = await untilOrPatience(() => isQuiet(pool, origin), sentAt)
    const { delayMs, megabytes } = await readMetrics(host)
    const grownBy = (await sizeOfDatabase(pool)) - sizeBefore
    return { pendingMs, quietMs, delayMs, megabytes, grownBy, answerMs: await answers.slowest() }
  } finally {
    await answers.slowest()
  }
}

const untilOrPatience = async (ask: () => Promise<true | null>, sentAt: number): Promise<number> => {
  await until('the host to go on', ask, PATIENCE_MS).catch(() => undefined)
  return performance.now() - sentAt
}

const isPending = async (pool: Pool, requestId: Hex): Promise<true | null> => {
  const { rowCount } = await pool.query(`select from requests where id = $1 and status <> 'waiting'`, [
    Buffer.from(requestId.slice(2), 'hex'),
  ])
  return rowCount === 1 ? true : null
}

/** Nothing waits for a decision or a payment, and every block so far was read. */
const isQuiet = async (pool: Pool, { chain }: NetworkChain): Promise<true | null> => {
  const tip = Number(await chain.rpc<string>('eth_blockNumber'))
  const { rows } = await pool.query<{ open: boolean; height: string }>(
    `select exists (select from requests where status in ('pending', 'submitted')) as open, height::text
     from chain_cursors where chain_id = $1`,
    [chain.chainId],
  )
  return rows[0] !== undefined && !rows[0].open && Number(rows[0].height) >= tip - 2 ? true : null
}

/** Asks one after the other, the next a moment after the last was answered. */
const watchAnswers = ({ url }: HostProcess): { slowest(): Promise<number> } => {
  let ended = false
  let slowest = 0
  const asking = (async () => {
    while (!ended) {
      const askedAt = performance.now()
      // A host that stands still for long closes connections; what counts is how long that took.
      await fetch(`${url}/lives`)
        .then((answer) => answer.text())
        .catch(() => undefined)
      slowest = Math.max(slowest, performance.now() - askedAt)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  })()
  return {
    slowest: async () => {
      ended = true
      await asking
      return slowest
    },
  }
}

/** Resident memory, and the longest delay of the event loop since the last time. */
const readMetrics = async ({ url }: HostProcess): Promise<{ delayMs: number; megabytes: number }> => {
  const ask = () =>
    fetch(`${url}/metrics`)
      .then((answer) => answer.text())
      .catch(() => null)
  const text = await until('the metrics', ask)
  const read = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
  return {
    delayMs: read('nodejs_eventloop_lag_max_seconds') * 1_000,
    megabytes: read('process_resident_memory_bytes') / 1_000_000,
  }
}

const sizeOfDatabase = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query<{ bytes: string }>('select pg_database_size(current_database())::text as bytes')
  return Number(rows[0]?.bytes) / 1_000_000
}

const sizeOfDeposits = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query<{ count: number }>(
    'select count(*)::int as count from deposits where parked_reason is not null',
  )
  return rows[0]?.count ?? 0
}

type Flood = () => Promise<void>

const prepareTransfers = async ({ origin, stranger }: FloodWorld, transfers: number): Promise<Flood> => {
  const { chain, depository } = origin
  const token = await chain.deploy(transferFloodAbi, transferFloodBytecode)
  return async () => {
    for (let left = transfers; left > 0; left -= TRANSFERS_AT_ONCE) {
      const count = BigInt(Math.min(left, TRANSFERS_AT_ONCE))
      // CAST: addresses of the harness are hex text.
      const args = [depository as Address, count] as const
      const data = encodeFunctionData({ abi: transferFloodAbi, functionName: 'flood', args })
      await receiptOf(chain, await chain.send(stranger, { to: token, data, gas: 100_000n + count * 2_500n }))
    }
  }
}

/** One unit each, under the order of a quote that comes with calls as large as a quote may have. */
const prepareDust = async ({ world, host, origin, stranger }: FloodWorld, dust: number): Promise<Flood> => {
  const { chain, depository } = origin
  const quote = await quoteOverHttp(host.url, {
    user: stranger,
    from: chain.chainId,
    to: world.network.chains[1].chain.chainId,
    originCurrency: NATIVE,
    destinationCurrency: NATIVE,
    amount: 10n ** 16n,
    tradeType: 'EXACT_OUTPUT',
    recipient: freshAddress(),
    more: { txs: [{ to: freshAddress(), value: '1000', data: `0x${'ab'.repeat(HEAVY_CALL_BYTES)}` }] },
  })
  const contract = await chain.deploy(multiDepositAbi, multiDepositBytecode)
  return async () => {
    for (let left = dust; left > 0; left -= DUST_AT_ONCE) {
      const deposits = Array.from({ length: Math.min(left, DUST_AT_ONCE) }, () => ({
        token: NATIVE as Hex,
        amount: 1n,
      }))
      const args = [depository as Address, stranger.address, quote.protocol.v2.orderId, deposits] as const
      const data = encodeFunctionData({ abi: multiDepositAbi, functionName: 'depositMany', args })
      const gas = 200_000n + BigInt(deposits.length) * 25_000n
      await receiptOf(chain, await chain.send(stranger, { to: contract, data, value: BigInt(deposits.length), gas }))
    }
  }
}
