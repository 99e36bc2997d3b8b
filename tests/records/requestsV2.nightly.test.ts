import type { Hex } from '@causeway/core'
import type { RecordJson } from '@causeway/core/plugin'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callApi, listAt, textAt, valueAt } from '../harness/apiCall.js'
import { balanceOnChain } from '../harness/database/books.js'
import { type NetworkChain, userOf } from '../harness/localNetwork.js'
import { executeQuote, freshAddress, type QuoteAnswer } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { type HttpWorld, postQuote, startHttpWorld, tokenBody } from '../http/httpWorld.js'

const PARTNER = '0x00000000000000000000000000000000000a4410'

let world: HttpWorld
beforeAll(async () => {
  world = await startHttpWorld({
    plugins: () => ({ 'requests-v2': { sunsetAt: '2999-01-01' }, 'app-fees': {} }),
    balances: ({ chains: [{ chain, usdc }] }) => ({ chainId: chain.chainId, currency: usdc }),
  })
})
afterAll(() => world?.close())

const read = async (path: string): Promise<unknown> => {
  const answer = await callApi(world.host.url, path, { apiKey: world.host.apiKey })
  if (answer.status !== 200) throw new Error(answer.text)
  return listAt(answer.body, 'requests')[0]
}

/** Quotes, pays and waits until the request has ended. */
const transfer = async (more: Readonly<Record<string, unknown>> = {}) => {
  const [from] = world.network.chains
  const recipient = freshAddress()
  const answer = await postQuote(world, tokenBody(world, { recipient, ...more }), '/quote', world.host.apiKey)
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, ''])
  // CAST: the tests of the quote's shape check it.
  const quote = answer.body as QuoteAnswer
  const hash = await executeQuote(from.chain, userOf(world.network, 0), quote)
  const record = await until('the end', async () => {
    const found = await read(`/requests/v2?id=${quote.requestId}`)
    return ['success', 'refund', 'failure'].includes(textAt(found, 'status')) ? found : null
  })
  return { quote, hash, record, recipient }
}

const micro = (value: unknown, path: string): bigint => BigInt(textAt(value, path).replace('.', ''))

/** A transaction against what the node says of it. */
const expectOnChain = async ({ chain }: NetworkChain, tx: unknown): Promise<void> => {
  const hash = textAt(tx, 'hash')
  const [receipt, sent] = await Promise.all([
    chain.rpc<Record<string, Hex>>('eth_getTransactionReceipt', [hash]),
    chain.rpc<Record<string, Hex>>('eth_getTransactionByHash', [hash]),
  ])
  const block = await chain.rpc<Record<string, Hex>>('eth_getBlockByNumber', [receipt.blockNumber, false])
  expect(tx).toMatchObject({
    fee: (BigInt(receipt.gasUsed ?? 0) * BigInt(receipt.effectiveGasPrice ?? 0)).toString(),
    block: Number(receipt.blockNumber),
    type: 'onchain',
    chainId: chain.chainId,
    timestamp: Number(block.timestamp),
    status: receipt.status === '0x1' ? 'success' : 'failure',
    data: { from: sent.from, to: sent.to, data: sent.input },
  })
  expect(tx).not.toHaveProperty('feeUsd')
}

/** The costs in dollars are what went in and did not come out. */
const expectCosts = (record: unknown): void => {
  const parts = ['gas', 'fixed', 'price', 'gateway'].map((name) => micro(record, `data.feesUsd.${name}`))
  const [paid, got] = ['currencyIn', 'currencyOut'].map((name) => micro(record, `data.metadata.${name}.amountUsd`))
  const app = -micro(record, 'data.expandedPriceImpact.actual.app.usd')
  expect(parts.reduce((sum, part) => sum + part, app)).toBe((paid ?? 0n) - (got ?? 0n))
}

describe('a record of v2 compared with the chains and with v3, field by field (wire.md 3.2)', () => {
  it('of a bridge', async () => {
    const [from, to] = world.network.chains
    const user = userOf(world.network, 0).address.toLowerCase()
    const before = await balanceOnChain(from, user, from.usdc)
    const { quote, hash, record, recipient } = await transfer()
    const paid = before - (await balanceOnChain(from, user, from.usdc))
    const got = await balanceOnChain(to, recipient, to.usdc)
    expect(record).toMatchObject({
      id: quote.requestId,
      status: 'success',
      user,
      recipient: recipient.toLowerCase(),
      depositAddress: null,
      moonpayId: null,
      data: {
        subsidizedRequest: false,
        subsidizedFee: { origin: { amount: '0' }, sponsor: { amount: '0' }, amountUsd: '0.000000' },
        price: quote.details.currencyOut.amount,
        currency: 'usdc',
        currencyObject: { chainId: from.chain.chainId, address: from.usdc, decimals: 6 },
        feeCurrency: 'eth',
        feeCurrencyObject: { chainId: from.chain.chainId, decimals: 18 },
        appFeeCurrencyObject: { address: from.usdc },
        appFees: [],
        paidAppFees: [],
        fees: { gateway: '0' },
        feeSponsorship: null,
        failReason: 'N/A',
        refundFailReason: 'N/A',
        usesExternalLiquidity: false,
        supersededByRequestId: null,
        metadata: {
          sender: user,
          recipient: recipient.toLowerCase(),
          currencyIn: { amount: paid.toString(), amountUsdCurrent: '25.000000', currency: { address: from.usdc } },
          currencyOut: { amount: got.toString(), currency: { address: to.usdc } },
          quoteOraclePrice: null,
        },
      },
      protocol: { orderId: quote.protocol.v2.orderId },
    })
    expect(valueAt(record, 'data.inTxs.0.hash')).toBe(hash)
    await expectOnChain(from, valueAt(record, 'data.inTxs.0'))
    await expectOnChain(to, valueAt(record, 'data.outTxs.0'))
    expectCosts(record)
    // CAST: the host of the tests holds every answer against its schema.
    const v3 = (await read(`/requests/v3?id=${quote.requestId}`)) as RecordJson
    const { actual } = v3.data.fees
    expect(valueAt(record, 'data.expandedPriceImpact.actual')).toEqual({
      swap: actual?.swap,
      execution: actual?.execution,
      relay: actual?.platform,
      app: actual?.app,
      sponsored: actual?.sponsored,
    })
    const { rate, ...route } = v3.data.route.actual
    expect(valueAt(record, 'data.metadata')).toMatchObject({ rate, route })
    for (const name of ['protocol', 'createdAt', 'updatedAt'] as const) {
      expect(valueAt(record, name)).toEqual(v3[name])
    }
    const legacy = await read(`/requests?id=${quote.requestId}`)
    expect(legacy).toMatchObject({ status: 'success', data: { price: quote.details.currencyOut.amount } })
    expect(valueAt(legacy, 'data.feesUsd.gas')).toBe(valueAt(record, 'data.feesUsd.gas'))
  })

  it('with app fees that the quote promised: appFees as quoted, paidAppFees for what came in, each valued again', async () => {
    const { quote } = await transfer({ appFees: [{ recipient: PARTNER, fee: '100' }] })
    const appFees = [{ recipient: PARTNER, bps: '100', amount: '250000' }]
    const fees = appFees.map((fee) => ({ ...fee, amountUsd: '0.250000', amountUsdCurrent: '0.250000' }))
    const record = await read(`/requests/v2?id=${quote.requestId}`)
    expect(valueAt(record, 'data')).toMatchObject({ appFees: fees, paidAppFees: fees })
    const legacy = await read(`/requests?id=${quote.requestId}`)
    expect(valueAt(legacy, 'data.appFees')).toEqual([{ recipient: PARTNER, amount: '250000' }])
    world.host.setPrices({ eth: '2000', usdc: '1.1', busd: '1' })
    await until('the price to have changed', async () => {
      const valued = await read(`/requests/v2?id=${quote.requestId}`)
      return valueAt(valued, 'data.appFees.0.amountUsdCurrent') === '0.275000' ? valued : null
    })
    world.host.setPrices({ eth: '2000', usdc: '1', busd: '1' })
  })

  it('of a refund: what came in, what sending it back cost, and the refund as what went out', async () => {
    const [from] = world.network.chains
    const { quote, record } = await transfer({ referrer: 'debug-force-refund' })
    expect(record).toMatchObject({
      status: 'refund',
      data: {
        metadata: { currencyIn: { amount: '25000000' }, currencyOut: { amount: quote.details.currencyOut.amount } },
      },
    })
    await expectOnChain(from, valueAt(record, 'data.outTxs.0'))
    const { data } = Object(await read(`/requests/v3?id=${quote.requestId}`))
    expect(data.refundCurrencyData).toMatchObject({ currency: { address: from.usdc } })
    expect(valueAt(record, 'data.refundCurrencyData')).toEqual(data.refundCurrencyData)
    const spent = micro(record, 'data.feesUsd.gas') + micro(record, 'data.feesUsd.fixed')
    expect(spent).toBe(-micro(record, 'data.expandedPriceImpact.actual.execution.usd'))
    expect(valueAt(await read(`/requests?id=${quote.requestId}`), 'status')).toBe('fallback')
  })
})
