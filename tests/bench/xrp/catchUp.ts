import { type LocalXrpLedger, startLocalXrp } from '@causeway/chain-xrpvm/testing'
import { NOTHING_LIVE } from '@causeway/core/chain'
import { Wallet } from 'xrpl'
import type { BenchWorld } from '../benchWorld.js'
import type { Measurement } from '../table.js'
import { idleAdapter, NETWORK_ID } from './idleAdapter.js'

const LEDGERS_PER_DEPOSIT = 100
const LEDGERS = 10_000
const LIMIT_MS = 30_000
/** Twice the ledgers may take so much more time. */
const LINEAR = 2.6
const BYTES_IN_MB = 1_000_000
const LIMIT_MB = 60
const FUNDS = 1_000_000_000n

/** (u) How long the watcher takes to read ledgers of which one in a hundred has a deposit, and what it keeps of them. */
export const measureCatchUp = async ({ scale, say }: BenchWorld): Promise<Measurement[]> => {
  const ledgers = scale.rounds > 1 ? LEDGERS : LEDGERS / 20
  const [user, depository] = [Wallet.generate().classicAddress, Wallet.generate().classicAddress]
  // A detached ledger, so that its memory is not counted.
  const chain = await startLocalXrp({ networkId: NETWORK_ID, blockMs: 0, detached: true })
  try {
    for (const address of [user, depository]) await chain.fund(address, FUNDS)
    const startLedger = (await chain.height()) + 1
    const seen = { user, depository, startLedger }
    say(`catching up on the XRP Ledger: ${ledgers} ledgers`)
    await seed(chain, seen, ledgers / 2)
    await catchUp(chain, seen, ledgers / 2)
    const half = await catchUp(chain, seen, ledgers / 2)
    await seed(chain, seen, ledgers / 2)
    const before = process.memoryUsage().rss
    const whole = await catchUp(chain, seen, ledgers)
    const grown = Math.max(1, (process.memoryUsage().rss - before) / BYTES_IN_MB)
    return [
      {
        case: 'u',
        what: `watcher catches up ${ledgers} ledgers, ${ledgers / LEDGERS_PER_DEPOSIT} deposits`,
        unit: 'ms',
        value: whole,
        target: { of: 'value', limit: LIMIT_MS, better: 'less' },
      },
      {
        case: 'u',
        what: 'catching up, all ledgers against half of them',
        unit: 'ms',
        value: whole,
        floor: half,
        floorIs: 'half of the ledgers',
        target: { of: 'ratio', limit: LINEAR, better: 'less' },
      },
      {
        case: 'u',
        what: 'resident memory that catching up on ledgers adds',
        unit: 'MB',
        value: grown,
        target: { of: 'value', limit: LIMIT_MB, better: 'less' },
      },
    ]
  } finally {
    await chain.close()
  }
}

interface Seen {
  readonly user: string
  readonly depository: string
  readonly startLedger: number
}

let orders = 0

const seed = async (chain: LocalXrpLedger, { user, depository }: Seen, ledgers: number): Promise<void> => {
  for (let at = 0; at < ledgers; at += LEDGERS_PER_DEPOSIT) {
    orders += 1
    const orderId = `0x${orders.toString(16).padStart(64, '0')}`
    await chain.apply({
      TransactionType: 'Payment',
      Account: user,
      Destination: depository,
      Amount: String(1_000 + orders),
      Memos: [{ Memo: { MemoData: Buffer.from(orderId).toString('hex').toUpperCase() } }],
    })
    await chain.advance(LEDGERS_PER_DEPOSIT - 1)
  }
}

/** Milliseconds until every deposit of the ledgers was delivered by a new adapter that begins with the first one. */
const catchUp = async (chain: LocalXrpLedger, { depository, startLedger }: Seen, ledgers: number): Promise<number> => {
  const rpc = [{ http: chain.rpcUrl, ws: chain.wsUrl }]
  const adapter = idleAdapter(depository, { startLedger, pollIntervalMs: 50 }, rpc)
  const control = new AbortController()
  const startedAt = performance.now()
  await adapter.start(control.signal)
  const expected = ledgers / LEDGERS_PER_DEPOSIT
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
