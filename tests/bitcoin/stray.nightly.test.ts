import { randomBytes } from 'node:crypto'
import type { Transaction } from 'bitcoinjs-lib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { waitForQuiet } from '../harness/database/books.js'
import { until } from '../harness/until.js'
import type { Quote } from '../transfers/apiClient.js'
import { BVM_ID, EVM_ID } from './bitcoinNetwork.js'
import { type BitcoinWorld, replace, startBitcoinWorld } from './bitcoinWorld.js'
import { paymentsOf } from './orderPayments.js'

let world: BitcoinWorld
let network: BitcoinWorld['network']
let client: BitcoinWorld['client']
let pool: BitcoinWorld['pool']

beforeAll(async () => {
  world = await startBitcoinWorld()
  ;({ network, client, pool } = world)
})
afterEach(() => network.miner.resume())
afterAll(() => world?.close())

interface Sent {
  /** Satoshis. */
  readonly value: bigint
  readonly refundTo: string
  readonly recipient: string
}

const deposit = (value: bigint) => [{ to: network.vault.addresses.p2wpkh, value }]

interface RequestRow {
  readonly status: string
  readonly fail_reason: string | null
  readonly refund_fail_reason: string | null
  readonly child: boolean
}

/** Every request of an order, the quote's own first. */
const requestsOf = async ({ protocol }: Quote): Promise<readonly RequestRow[]> => {
  const { rows } = await pool.query<RequestRow>(
    `select status, fail_reason, refund_fail_reason, parent_request_id is not null as child from requests
     where order_id = decode($1, 'hex') order by parent_request_id nulls first, seq`,
    [protocol.v2.orderId.slice(2)],
  )
  return rows
}

const childOf = (quote: Quote, wanted: string): Promise<RequestRow> =>
  until(`a child request in ${wanted}`, async () =>
    (await requestsOf(quote)).find(({ child, status }) => child && status === wanted),
  )

const runCli = async (...words: readonly string[]): Promise<string> => {
  const { code, output } = await world.command(...words)
  expect([code, output]).toEqual([0, expect.any(String)])
  return output
}

describe('a deposit that was given up as replaced comes back in a block', () => {
  /** The block with the replacement leaves the chain, and that in its place holds the deposit: it goes back whole, once. */
  const expectRefund = async (quote: Quote, first: Transaction, replacement: string, sent: Sent) => {
    const { bitcoin } = network
    const { failReason } = await client.waitFor(quote.requestId, ['failure'])
    expect(failReason).toBe('DOUBLE_SPEND')
    await bitcoin.mine()
    expect(bitcoin.node.chain.placeOf(replacement)).toBeDefined()
    await until('the block to be read', async () => {
      const { rows } = await pool.query<{ height: string }>('select height from chain_cursors where chain_id = $1', [
        BVM_ID,
      ])
      return Number(rows[0]?.height) >= bitcoin.node.chain.height ? true : null
    })
    await bitcoin.reorg(1, { transactions: [first], drop: [replacement] })
    network.miner.resume()
    expect(await childOf(quote, 'refund')).toMatchObject({ fail_reason: 'DOUBLE_SPEND' })
    await waitForQuiet(pool, 60_000)
    const back = await client.balance(BVM_ID, sent.refundTo)
    expect(back).toBeGreaterThan((sent.value * 8n) / 10n)
    expect(back).toBeLessThan(sent.value)
    expect(await client.balance(EVM_ID, sent.recipient)).toBe(0n)
    expect((await requestsOf(quote)).map(({ status, child }) => [status, child])).toEqual([
      ['failure', false],
      ['refund', true],
    ])
    const paid = paymentsOf(network, quote.protocol.v2.orderId).map(({ withdraws }) => withdraws)
    expect(paid.sort()).toEqual([false, true])
    expect(await client.balance(BVM_ID, network.vault.addresses.p2wpkh)).toBe(0n)
  }

  const order = async (at: number, value: bigint) => {
    const [recipient, refundTo] = [await client.freshRecipient(EVM_ID), await client.freshRecipient(BVM_ID)]
    network.miner.pause()
    const quote = await client.quote({
      from: BVM_ID,
      to: EVM_ID,
      satoshis: value,
      recipient,
      user: at,
      more: { refundTo },
    })
    const data = quote.protocol.v2.orderId
    const first = network.bitcoin.build(world.user(at), deposit(value), { data, form: 'p2wpkh' })
    return { quote, first, sent: { value, refundTo, recipient } }
  }

  it('bvm 4: it was only ever seen in the mempool: a child request refunds it, nothing is filled', async () => {
    const { quote, first, sent } = await order(0, 210_000n)
    await network.bitcoin.send(first)
    await client.waitFor(quote.requestId, ['pending'])
    await expectRefund(quote, first, await replace(network, first, world.user(0)), sent)
  })

  it('K.2 6: it was in a block, left it and was replaced then: a child request refunds it, nothing is filled', async () => {
    // So much that it is decided only when both nodes show it.
    const { quote, first, sent } = await order(1, 3_100_000n)
    const stands = async (state: string) => {
      const { rows } = await pool.query<{ state: string }>('select state from deposits where tx_id = $1', [
        first.getId(),
      ])
      return rows[0]?.state === state ? true : null
    }
    await network.bitcoin.hide(first.getId(), { api: 'rpc' })
    let replacement = ''
    try {
      await network.bitcoin.send(first)
      await client.waitFor(quote.requestId, ['pending'])
      await network.bitcoin.mine()
      await until('the deposit to be in a block', () => stands('included'))
      await network.bitcoin.reorg(1)
      await until('the deposit to have left it', () => stands('reorged'))
      await client.waitFor(quote.requestId, ['pending'])
      replacement = await replace(network, first, world.user(1))
    } finally {
      await network.bitcoin.hide(first.getId(), { api: 'rpc', shown: true })
    }
    await expectRefund(quote, first, replacement, sent)
  })
})

describe('chains.md bvm 4: a deposit whose OP_RETURN names no order, or another one', () => {
  const parkedAs = (txId: string): Promise<{ readonly id: string; readonly reason: string | null }> =>
    until('the deposit to be read', async () => {
      const { rows } = await pool.query<{ id: string; reason: string | null }>(
        `select id::text, parked_reason as reason from deposits where tx_id = $1 and state = 'included'`,
        [txId],
      )
      return rows[0]
    })

  /** No operator may send back what a reorg could still take. */
  const settled = (txId: string): Promise<true> =>
    until('it to be settled', async () => {
      const { chain } = network.bitcoin.node
      const place = chain.placeOf(txId)
      return place !== undefined && chain.height >= place.block.height + 2 ? true : null
    })

  it.each([
    { what: 'none', data: undefined, reason: 'no order id' },
    { what: 'an id that no quote has', data: `0x${randomBytes(32).toString('hex')}`, reason: 'unknown order id' },
  ])('$what: parked, no fill of the quote it may have been meant for, and an operator sends it back', async (stray) => {
    const recipient = await client.freshRecipient(EVM_ID)
    const quote = await client.quote({ from: BVM_ID, to: EVM_ID, satoshis: 220_000n, recipient, user: 2 })
    const data = stray.data === undefined ? {} : { data: stray.data }
    const txId = await network.bitcoin.pay(world.user(2), deposit(220_000n), { ...data, form: 'p2wpkh' })
    const { id, reason } = await parkedAs(txId)
    expect(reason).toBe(stray.reason)
    expect(await requestsOf(quote)).toEqual([])
    const to = await client.freshRecipient(BVM_ID)
    await settled(txId)
    await runCli('parked', 'refund', id, '--to', to, '--reason', 'the user asked', '--yes')
    await waitForQuiet(pool, 60_000)
    const back = await client.balance(BVM_ID, to)
    expect(back).toBeGreaterThan(200_000n)
    expect(back).toBeLessThan(220_000n)
    expect(await client.balance(EVM_ID, recipient)).toBe(0n)
    expect((await client.status(quote.requestId)).status).toBe('waiting')
  })

  it('F17: an order whose deposit was to be on another chain: no fill; an operator sends it back', async () => {
    const recipient = await client.freshRecipient(BVM_ID)
    const quote = await client.quote({ from: EVM_ID, to: BVM_ID, satoshis: 230_000n, recipient })
    const data = quote.protocol.v2.orderId
    const txId = await network.bitcoin.pay(world.user(3), deposit(230_000n), { data, form: 'p2wpkh' })
    // Whom the quote names for refunds has no address on Bitcoin.
    expect(await childOf(quote, 'failure')).toMatchObject({
      fail_reason: 'DEPOSIT_CHAIN_MISMATCH',
      refund_fail_reason: 'MANUAL_REFUND_REQUIRED',
    })
    const { rows } = await pool.query<{ id: string }>(
      `select '0x' || encode(id, 'hex') as id from requests where order_id = decode($1, 'hex')`,
      [data.slice(2)],
    )
    const to = await client.freshRecipient(BVM_ID)
    await settled(txId)
    await runCli('refund', rows[0]?.id ?? '', '--to', to, '--reason', 'the user asked', '--yes')
    await waitForQuiet(pool, 60_000)
    expect(await client.balance(BVM_ID, to)).toBeGreaterThan(210_000n)
    expect(await client.balance(BVM_ID, recipient)).toBe(0n)
  })

  it('F117: another user’s order, for less than it asks: refunded as that user said; their own deposit is filled still', async () => {
    const [recipient, refundTo] = [await client.freshRecipient(EVM_ID), await client.freshRecipient(BVM_ID)]
    const request = { from: BVM_ID, to: EVM_ID, satoshis: 240_000n, recipient, user: 4, more: { refundTo } } as const
    const quote = await client.quote(request)
    const data = quote.protocol.v2.orderId
    await network.bitcoin.pay(world.user(3), deposit(120_000n), { data, form: 'p2wpkh' })
    expect(await childOf(quote, 'refund')).toMatchObject({ fail_reason: 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL' })
    expect(await client.balance(EVM_ID, recipient)).toBe(0n)
    await client.pay(quote, request)
    await client.waitFor(quote.requestId, ['success'])
    await waitForQuiet(pool, 60_000)
    expect(await client.balance(EVM_ID, recipient)).toBe(BigInt(quote.details.currencyOut.amount))
    const back = await client.balance(BVM_ID, refundTo)
    expect(back).toBeGreaterThan(100_000n)
    expect(back).toBeLessThan(120_000n)
  })
})

describe('a deposit that is too little', () => {
  it('F135: the user’s own is told under the id of the quote, that of another address is not', async () => {
    const request = { from: BVM_ID, to: EVM_ID, satoshis: 250_000n, user: 4 } as const
    const ask = async () => client.quote({ ...request, recipient: await client.freshRecipient(EVM_ID) })
    const [own, foreign] = [await ask(), await ask()]
    const other = foreign.protocol.v2.orderId
    await network.bitcoin.pay(world.user(3), deposit(120_000n), { data: other, form: 'p2wpkh' })
    await childOf(foreign, 'refund')
    const data = own.protocol.v2.orderId
    const txId = await network.bitcoin.pay(world.user(4), deposit(120_000n), { data, form: 'p2wpkh' })
    const told = await client.waitFor(own.requestId, ['refund'])
    expect(told).toMatchObject({ inTxHashes: [txId], failReason: 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL' })
    expect(await client.waitFor(foreign.requestId, ['waiting'])).toMatchObject({ inTxHashes: [] })
  })
})

it('the books agree with the chains to the unit, every deposit is taken out of the depository', async () => {
  await waitForQuiet(pool, 60_000)
  expect(await runCli('ledger', 'check')).toContain('rules hold')
  expect(await client.balance(BVM_ID, network.vault.addresses.p2wpkh)).toBe(0n)
})
