import { Transaction } from 'bitcoinjs-lib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { waitForQuiet } from '../harness/database/books.js'
import type { HostNetwork } from '../harness/host/hostProcess.js'
import { until } from '../harness/until.js'
import type { Quote } from '../transfers/apiClient.js'
import { BVM_ID, EVM_ID } from './bitcoinNetwork.js'
import { type BitcoinWorld, startBitcoinWorld } from './bitcoinWorld.js'
import { paymentsOf } from './orderPayments.js'

/** So little that a payout is raised twice and then cancelled while a test waits. */
const PACE = { bumpAfterMs: 1_000, inclusionWindowMs: 2_500 }

let world: BitcoinWorld
let network: BitcoinWorld['network']
let client: BitcoinWorld['client']
let pool: BitcoinWorld['pool']

beforeAll(async () => {
  world = await startBitcoinWorld((host) => ({ ...host, chains: host.chains.map(paced) }))
  ;({ network, client, pool } = world)
})
afterEach(() => network.miner.resume())
afterAll(() => world?.close())

const paced = (chain: HostNetwork['chains'][number]): HostNetwork['chains'][number] =>
  chain.id === BVM_ID ? { ...chain, options: { ...chain.options, ...PACE } } : chain

interface AttemptRow {
  readonly kind: 'pay' | 'cancel'
  readonly tx_id: string
  readonly raw: string
  readonly fee_cap: string
  readonly generation: number
}

/** Every version of the fill, the oldest first. */
const versionsOf = async ({ requestId }: Quote): Promise<readonly AttemptRow[]> => {
  const { rows } = await pool.query<AttemptRow>(
    `select a.kind, a.tx_id, a.raw, a.fee_cap::text, a.generation from payout_attempts a join payouts p on p.id = a.payout_id
     where p.request_id = decode($1, 'hex') and p.purpose = 'fill' order by a.generation, a.version`,
    [requestId.slice(2)],
  )
  return rows
}

const read = ({ raw }: AttemptRow): Transaction => Transaction.fromHex(raw.slice(2))

/** A transfer to Bitcoin whose fill is in no block, until its cancellation has been raised twice. */
const cancelledFill = async () => {
  const [recipient, refundTo] = [await client.freshRecipient(BVM_ID), await client.freshRecipient(EVM_ID)]
  const request = { from: EVM_ID, to: BVM_ID, satoshis: 160_000n, recipient, more: { refundTo } } as const
  const quote = await client.quote(request)
  network.miner.pause()
  await client.pay(quote, request)
  await until('a cancellation that is raised twice', async () =>
    (await versionsOf(quote)).filter(({ kind }) => kind === 'cancel').length >= 3 ? true : null,
  )
  return { quote, recipient, refundTo }
}

const payments = ({ protocol }: Quote) => paymentsOf(network, protocol.v2.orderId)

describe('a cancellation of a fill that is in no block either is raised in fee as a payment is', () => {
  it('TRANSACTION_NOT_INCLUDED: its last version is mined, and once that is final the deposit goes back', async () => {
    const { quote, recipient, refundTo } = await cancelledFill()
    const versions = await versionsOf(quote)
    expect(new Set(versions.map(({ generation }) => generation)).size).toBe(1)
    // Payments first, then cancellations; all spend the same coins, each pays more than the one before.
    expect(versions.map(({ kind }) => kind).join(' ')).toMatch(/^pay( pay)* cancel cancel cancel( cancel)*$/)
    const coins = versions.map((version) => read(version).ins.map(({ hash, index }) => `${toHex(hash)}:${index}`))
    for (const each of coins) expect(each).toEqual(coins[0])
    const fees = versions.map(({ fee_cap }) => BigInt(fee_cap))
    expect(fees.every((fee, at) => at === 0 || fee > (fees[at - 1] ?? 0n))).toBe(true)
    // A cancellation pays nobody but the solver and names no order.
    for (const version of versions.filter(({ kind }) => kind === 'cancel')) {
      const scripts = read(version).outs.map(({ script }) => toHex(script))
      expect(scripts).toEqual([toHex(network.solver.scripts.p2wpkh)])
    }
    network.miner.resume()
    const { failReason } = await client.waitFor(quote.requestId, ['refund'])
    expect(failReason).toBe('TRANSACTION_NOT_INCLUDED')
    await waitForQuiet(pool, 60_000)
    const { chain } = network.bitcoin.node
    const mined = (await versionsOf(quote)).filter(({ tx_id }) => chain.placeOf(tx_id) !== undefined)
    expect(mined.map(({ kind }) => kind)).toEqual(['cancel'])
    // The node took it in place of the cancellation before it.
    const first = versions.find(({ kind }) => kind === 'cancel')
    expect(BigInt(mined[0]?.fee_cap ?? 0)).toBeGreaterThan(BigInt(first?.fee_cap ?? 0))
    expect(payments(quote)).toEqual([])
    expect(await client.balance(BVM_ID, recipient)).toBe(0n)
    expect(await client.balance(EVM_ID, refundTo)).toBeGreaterThan(0n)
  })

  it('F67: a miner takes the fill nevertheless: it is paid, nothing goes back', async () => {
    const { quote, recipient, refundTo } = await cancelledFill()
    const [fill] = await versionsOf(quote)
    if (fill === undefined) throw new Error('no fill')
    await network.bitcoin.mine(1, { transactions: [read(fill)] })
    network.miner.resume()
    const { txHashes } = await client.waitFor(quote.requestId, ['success'])
    expect(txHashes).toEqual([fill.tx_id])
    await waitForQuiet(pool, 60_000)
    expect(payments(quote)).toEqual([{ txId: fill.tx_id, withdraws: false }])
    expect(await client.balance(BVM_ID, recipient)).toBe(BigInt(quote.details.currencyOut.amount))
    expect(await client.balance(EVM_ID, refundTo)).toBe(0n)
  })
})

it('the books agree with the chains to the unit', async () => {
  await waitForQuiet(pool, 60_000)
  const { code, output } = await world.command('ledger', 'check')
  expect([code, output]).toEqual([0, expect.stringContaining('rules hold')])
})

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
