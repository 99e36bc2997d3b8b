import { Transaction } from 'bitcoinjs-lib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { waitForQuiet } from '../harness/database/books.js'
import { findWalletDifferences } from '../harness/database/walletDifferences.js'
import type { HostNetwork } from '../harness/host/hostProcess.js'
import { until } from '../harness/until.js'
import type { Quote } from '../transfers/apiClient.js'
import { BVM_ID, EVM_ID } from './bitcoinNetwork.js'
import { type BitcoinWorld, startBitcoinWorld } from './bitcoinWorld.js'
import { paymentsOf } from './orderPayments.js'

const MOST = 4
const TRANSFERS = 5
/** So little that a payout is raised and then cancelled while a test waits. */
const PACE = { bumpAfterMs: 1_500, inclusionWindowMs: 4_000 }

let world: BitcoinWorld
let network: BitcoinWorld['network']
let client: BitcoinWorld['client']
let pool: BitcoinWorld['pool']

beforeAll(async () => {
  world = await startBitcoinWorld((host) => ({ ...host, chains: host.chains.map(sharing) }), { maxDataOutputs: MOST })
  ;({ network, client, pool } = world)
})
afterEach(() => network.miner.resume())
afterAll(() => world?.close())

const sharing = (chain: HostNetwork['chains'][number]): HostNetwork['chains'][number] =>
  chain.id === BVM_ID ? { ...chain, options: { ...chain.options, ...PACE, payoutsPerTransaction: MOST } } : chain

interface Transfer {
  readonly quote: Quote
  readonly recipient: string
  readonly refundTo: string
}

/** Transfers to Bitcoin whose deposits the host sees at one time, since it stands still while they are made. */
const transfers = async (): Promise<readonly Transfer[]> => {
  const requests = await Promise.all(
    Array.from({ length: TRANSFERS }, async (_, at) => {
      const [recipient, refundTo] = [await client.freshRecipient(BVM_ID), await client.freshRecipient(EVM_ID)]
      return { from: EVM_ID, to: BVM_ID, satoshis: 160_000n + BigInt(at), recipient, more: { refundTo } } as const
    }),
  )
  const made = await Promise.all(requests.map(async (request) => ({ request, quote: await client.quote(request) })))
  world.host.signal('SIGSTOP')
  try {
    for (const { request, quote } of made) await client.pay(quote, request)
  } finally {
    world.host.signal('SIGCONT')
  }
  return made.map(({ request: { recipient, more }, quote }) => ({ quote, recipient, refundTo: more.refundTo }))
}

interface AttemptRow {
  readonly payout_id: string
  readonly version: number
  readonly kind: 'pay' | 'cancel'
  readonly tx_id: string
  readonly raw: string | null
  readonly carried: boolean
  readonly fee: string | null
  readonly sent: boolean
}

/** Attempts at the fills of these transfers, in their order. */
const attemptsOf = async (made: readonly Transfer[]): Promise<readonly AttemptRow[]> => {
  const { rows } = await pool.query<AttemptRow>(
    `select a.payout_id::text, a.version, a.kind, a.tx_id, a.raw, a.carried, a.fee::text, a.broadcast_at is not null as sent
     from payout_attempts a join payouts p on p.id = a.payout_id
     where '0x' || encode(p.request_id, 'hex') = any($1) and p.purpose = 'fill' order by a.payout_id, a.generation, a.version`,
    [made.map(({ quote }) => quote.requestId)],
  )
  return rows
}

const guardsOf = async (payoutIds: readonly string[]): Promise<number> => {
  const { rows } = await pool.query<{ count: number }>(
    'select count(*)::int as count from payout_guards where payout_id = any($1::bigint[])',
    [payoutIds],
  )
  return rows[0]?.count ?? 0
}

const payments = ({ quote }: Transfer) => paymentsOf(network, quote.protocol.v2.orderId)

/** Attempts by their transaction, that which carries most first. */
const transactionsOf = (rows: readonly AttemptRow[]): readonly (readonly AttemptRow[])[] =>
  [...new Set(rows.map(({ tx_id }) => tx_id))]
    .map((id) => rows.filter(({ tx_id }) => tx_id === id))
    .sort((left, right) => right.length - left.length)

describe('payouts that wait together share a transaction', () => {
  it('one row of bytes and one set of guards; each is paid by it once, and its fee is booked once', async () => {
    const made = await transfers()
    for (const { quote } of made) await client.waitFor(quote.requestId, ['success'])
    await waitForQuiet(pool, 60_000)
    const rows = await attemptsOf(made)
    const [largest = []] = transactionsOf(rows)
    expect(largest.length).toBe(MOST)
    expect(largest.filter(({ carried }) => !carried).length).toBe(1)
    for (const { raw, carried, fee } of largest) {
      expect(raw === null).toBe(carried)
      expect(BigInt(fee ?? 0) > 0n).toBe(!carried)
    }
    const raw = largest.find(({ carried }) => !carried)?.raw ?? ''
    expect(await guardsOf(largest.map(({ payout_id }) => payout_id))).toBe(Transaction.fromHex(raw.slice(2)).ins.length)
    for (const transfer of made) {
      expect(payments(transfer).length).toBe(1)
      expect(await client.balance(BVM_ID, transfer.recipient)).toBe(BigInt(transfer.quote.details.currencyOut.amount))
      expect(await client.balance(EVM_ID, transfer.refundTo)).toBe(0n)
    }
  })

  it('a higher fee is one further version of all of them, and one of the versions is mined', async () => {
    network.miner.pause()
    const made = await transfers()
    const raised = await until('a version of all at a higher fee', async () => {
      const rows = (await attemptsOf(made)).filter(({ kind, version }) => kind === 'pay' && version === 2)
      return rows.length === TRANSFERS ? rows : null
    })
    const [largest = []] = transactionsOf(raised)
    expect(largest.length).toBe(MOST)
    network.miner.resume()
    for (const transfer of made) {
      await client.waitFor(transfer.quote.requestId, ['success'])
      expect(payments(transfer).length).toBe(1)
      expect(await client.balance(BVM_ID, transfer.recipient)).toBe(BigInt(transfer.quote.details.currencyOut.amount))
    }
  })

  it('what no block takes is cancelled as a whole: nobody is paid, and every deposit goes back once', async () => {
    network.miner.pause()
    const made = await transfers()
    await until('a cancellation of all that was sent', async () => {
      const cancelled = (await attemptsOf(made)).filter(({ kind, sent }) => kind === 'cancel' && sent)
      return new Set(cancelled.map(({ payout_id }) => payout_id)).size === TRANSFERS ? true : null
    })
    network.miner.resume()
    for (const { quote } of made) {
      const { failReason } = await client.waitFor(quote.requestId, ['refund'])
      expect(failReason).toBe('TRANSACTION_NOT_INCLUDED')
    }
    await waitForQuiet(pool, 60_000)
    for (const transfer of made) {
      expect(payments(transfer)).toEqual([])
      expect(await client.balance(BVM_ID, transfer.recipient)).toBe(0n)
      expect(await client.balance(EVM_ID, transfer.refundTo)).toBeGreaterThan(0n)
    }
  })
})

it('the books agree with the chains to the unit', async () => {
  await waitForQuiet(pool, 60_000)
  const { code, output } = await world.command('ledger', 'check')
  expect([code, output]).toEqual([0, expect.stringContaining('rules hold')])
  expect(await findWalletDifferences(pool)).toEqual([])
})
