import { type Alteration, laneWith } from '@causeway/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { depositNative } from '../harness/depositing.js'
import { ether, NATIVE, userOf } from '../harness/localNetwork.js'
import { type QuoteAnswer, quoteTransfer, waitForStatus } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import type { LedgerTransfer } from './ledgerChain/src/transaction.js'
import {
  COIN,
  freshAddress,
  LEDGER_ID,
  type LedgerDeployment,
  LedgerWallet,
  startLedgerDeployment,
} from './ledgerDeployment.js'

let deployment: LedgerDeployment
/** An exchange: everybody there has the one account, and a tag. */
const exchange = freshAddress()
let tags = 0
const newTag = (): number => {
  tags += 1
  return tags
}

/** While true, a node takes bytes and loses them. */
let losing = false
const lossy: Alteration = laneWith((real) => ({
  broadcast: async (attempts) =>
    losing ? attempts.map(() => ({ outcome: 'known' as const })) : real.broadcast(attempts),
}))

beforeAll(async () => {
  deployment = await startLedgerDeployment({ alter: lossy })
})
afterAll(() => deployment?.close())

const quoteTo = (user: number, recipient: string): Promise<QuoteAnswer> =>
  quoteTransfer(deployment.engine, {
    user: userOf(deployment.network, user),
    from: deployment.network.chains[0].chain.chainId,
    to: LEDGER_ID,
    originCurrency: NATIVE,
    destinationCurrency: COIN,
    amount: ether('0.01'),
    recipient,
  })

const deposit = (user: number, quote: QuoteAnswer): Promise<unknown> =>
  depositNative(
    deployment.network.chains[0],
    userOf(deployment.network, user),
    quote.protocol.v2.orderId,
    ether('0.01'),
  )

const isPaid = (quote: QuoteAnswer) => waitForStatus(deployment.requests, quote.requestId, ['success'])

/** Payments of the exchange's account that the ledger holds: tag and amount. */
const paid = (account = exchange) =>
  deployment.ledger.engine.blocks
    .history(account)
    .filter(({ tx: { status, transfer } }) => status === 'success' && transfer.to === account)
    .map(({ tx: { transfer } }) => [transfer.tag, BigInt(transfer.amount)])

const paidTo = (tag: number | undefined) => paid().filter(([found]) => found === tag)

const amountOf = ({ details }: QuoteAnswer): bigint => BigInt(details.currencyOut.amount)

/** How the tables name whom a request pays. */
const stored = async ({ requestId }: QuoteAnswer) => {
  const { rows } = await deployment.pool.query<{
    recipient: string
    refund_to: string
    paid: string
    generation: number
  }>(
    `select r.recipient, r.refund_to, p.recipient as paid, p.generation from requests r join payouts p on p.request_id = r.id
     where r.id = decode($1, 'hex') and p.purpose in ('fill', 'refund')`,
    [requestId.slice(2)],
  )
  return rows[0]
}

describe('a recipient with a tag (chains.md xrpvm 1, ChainAdapter implications 2)', () => {
  it('is paid under it, whichever of many, and 0 is one of them (faults.md F24)', async () => {
    const owners = [exchange, `${exchange}?tag=0`, `${exchange}?tag=4294967295`]
    const quotes = await Promise.all(owners.map((owner, user) => quoteTo(user, owner)))
    for (const [user, quote] of quotes.entries()) await deposit(user, quote)
    await Promise.all(quotes.map(isPaid))
    expect([undefined, 0, 4_294_967_295].map(paidTo)).toEqual(
      quotes.map((quote, at) => [[[undefined, 0, 4_294_967_295][at], amountOf(quote)]]),
    )
    for (const [at, quote] of quotes.entries())
      expect(await stored(quote)).toMatchObject({ recipient: owners[at], paid: owners[at] })
  })

  it('is paid under it by the next transaction too, once the first has expired', async () => {
    const { engine } = deployment.ledger
    const tag = newTag()
    const quote = await quoteTo(3, `${exchange}?tag=${tag}`)
    losing = true
    await deposit(3, quote)
    await waitForStatus(deployment.requests, quote.requestId, ['submitted'])
    engine.advance(21)
    losing = false
    await until('another transaction', async () => {
      engine.advance(1)
      return ((await stored(quote))?.generation ?? 0) > 1 ? true : null
    })
    await isPaid(quote)
    expect(paidTo(tag)).toEqual([[tag, amountOf(quote)]])
  })

  it('is named by a payment that this database forgot: that is the fill, and nothing is paid again (faults.md F118)', async () => {
    const tag = newTag()
    const quote = await quoteTo(4, `${exchange}?tag=${tag}`)
    await deposit(4, quote)
    await isPaid(quote)
    const { lane } = deployment.chains.get(LEDGER_ID).adapter
    const { signer } =
      (await deployment.pool.query<{ signer: string }>('select signer from payouts limit 1')).rows[0] ?? {}
    const { unknown } = await lane.read(signer ?? '', { position: { sequence: 0 }, sinceHeight: 0n })
    const found = unknown.find(({ orderId }) => orderId === quote.protocol.v2.orderId)
    expect(found?.to).toBe(`${exchange}?tag=${tag}`)
  })
})

describe('a refund to a tag (wire.md E.5)', () => {
  it('goes there, and the order says so', async () => {
    const { engine } = deployment.ledger
    const tag = newTag()
    const wallet = new LedgerWallet(engine)
    engine.fund(wallet.address, 100_000_000n, COIN)
    const quote = await quoteTransfer(deployment.engine, {
      // CAST: of a user only the address is read.
      user: { address: wallet.address } as ReturnType<typeof userOf>,
      from: LEDGER_ID,
      to: deployment.network.chains[0].chain.chainId,
      originCurrency: COIN,
      destinationCurrency: NATIVE,
      amount: 20_000_000n,
      recipient: userOf(deployment.network, 5).address,
      more: { referrer: 'debug-force-refund', refundTo: `${exchange}?tag=${tag}`, includeProtocolData: true },
    })
    const order = Reflect.get(quote.protocol.v2, 'orderData')
    const extraData = `0x${tag.toString(16).padStart(8, '0')}`
    expect(order).toMatchObject({ inputs: [{ refunds: [{ recipient: exchange, extraData }] }] })
    // CAST: what buildDeposit of the ledger gives.
    wallet.send(quote.steps[0]?.items[0]?.data as unknown as LedgerTransfer)
    await waitForStatus(deployment.requests, quote.requestId, ['refund'])
    expect(paidTo(tag)).toEqual([[tag, expect.any(BigInt)]])
    const owner = `${exchange}?tag=${tag}`
    expect(await stored(quote)).toMatchObject({ refund_to: owner, paid: owner })
  })
})
