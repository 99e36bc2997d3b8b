import type { LocalAccount } from '@causeway/chain-evm/testing'
import type { Hex } from '@causeway/core'
import type { RecordJson, RecordTxJson } from '@causeway/core/plugin'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callApi, listAt, valueAt } from '../harness/apiCall.js'
import { balanceOnChain } from '../harness/database/books.js'
import { depositToken } from '../harness/depositing.js'
import { ether, NATIVE, type NetworkChain, userOf } from '../harness/localNetwork.js'
import { executeQuote, freshAddress, type QuoteAnswer } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { type HttpWorld, startHttpWorld } from '../http/httpWorld.js'

let world: HttpWorld
beforeAll(async () => {
  world = await startHttpWorld({ swaps: true })
})
afterAll(() => world?.close())

const origin = () => world.network.chains[0]
const destination = () => world.network.chains[1]
const chainOf = (id: number): NetworkChain => {
  const item = world.network.chains.find(({ chain }) => chain.chainId === id)
  if (item === undefined) throw new Error(`There is no chain ${id}`)
  return item
}
const unlistedOf = ({ unlisted }: NetworkChain): string => unlisted ?? ''

interface Asked {
  readonly user: LocalAccount
  readonly from: NetworkChain
  readonly to: NetworkChain
  readonly give: string
  readonly get: string
  readonly amount: bigint
  readonly recipient: string
  readonly more?: object
}

/** A 503 is asked again, as a client would. */
const quoteOf = ({ user, from, to, give, get, amount, recipient, more }: Asked): Promise<QuoteAnswer> =>
  until('a quote', async () => {
    const answer = await callApi(world.host.url, '/quote', {
      apiKey: world.host.apiKey,
      body: {
        user: user.address,
        recipient,
        originChainId: from.chain.chainId,
        destinationChainId: to.chain.chainId,
        originCurrency: give,
        destinationCurrency: get,
        amount: amount.toString(),
        tradeType: 'EXACT_INPUT',
        ...more,
      },
    })
    if (answer.status === 503) return null
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
    // CAST: the shape of the quote, checked by its own tests.
    return answer.body as QuoteAnswer
  })

const find = async (query: string): Promise<readonly RecordJson[]> => {
  const { status, body, text } = await callApi(world.host.url, `/requests/v3?${query}`, { apiKey: world.host.apiKey })
  if (status !== 200) throw new Error(text)
  // CAST: the host of the tests holds every answer against its schema.
  return listAt(body, 'requests') as readonly RecordJson[]
}
const recordOf = async (id: string): Promise<RecordJson> => {
  const [record] = await find(`id=${id}`)
  if (record === undefined) throw new Error(`There is no record of ${id}`)
  return record
}
const ended = (id: string, status: string): Promise<RecordJson> =>
  until(
    `${id} to be ${status}`,
    async () => {
      const record = await recordOf(id)
      if (['failure', 'refund', 'success'].includes(record.status)) expect(record.status).toBe(status)
      return record.status === status ? record : null
    },
    60_000,
  )

interface Receipt {
  readonly blockNumber: Hex
  readonly gasUsed: Hex
  readonly effectiveGasPrice: Hex
  readonly status: Hex
}
interface Transaction {
  readonly from: string
  readonly to: string
  readonly input: string
  readonly value: Hex
}

/** Every field of a transaction against what the node says of it. */
const expectOnChain = async (tx: RecordTxJson): Promise<void> => {
  const { chain } = chainOf(tx.chainId)
  const [receipt, sent] = await Promise.all([
    chain.rpc<Receipt>('eth_getTransactionReceipt', [tx.txHash]),
    chain.rpc<Transaction>('eth_getTransactionByHash', [tx.txHash]),
  ])
  const block = await chain.rpc<{ readonly timestamp: Hex }>('eth_getBlockByNumber', [receipt.blockNumber, false])
  expect(tx).toMatchObject({
    fee: (BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice)).toString(),
    block: Number(receipt.blockNumber),
    type: 'onchain',
    timestamp: Number(block.timestamp),
    status: receipt.status === '0x1' ? 'success' : 'failure',
  })
  const { from, to, data, value } = Object(tx.data)
  expect([from, to, data, BigInt(value)]).toEqual([sent.from, sent.to, sent.input, BigInt(sent.value)])
}

/** An entry of `stateChanges`. */
const moved = (address: string, tokenAddress: string, difference: bigint) => ({
  address,
  change: { kind: 'token', balanceDiff: difference.toString(), data: { tokenKind: 'ft', tokenAddress } },
})

const amountIn = ({ data }: RecordJson) => data.route.actual.origin.inputCurrency
const amountOut = ({ data: { route } }: RecordJson) =>
  route.actual.destination === undefined ? route.actual.origin.outputCurrency : route.actual.destination.outputCurrency

/** Quotes, pays and waits; then holds record, transactions and balances against each other. */
const transfer = async (asked: Asked) => {
  const { user, from, to, give, get, recipient } = asked
  const quote = await quoteOf(asked)
  const [before, had] = await Promise.all([
    balanceOnChain(from, user.address, give),
    balanceOnChain(to, recipient, get),
  ])
  const hash = await executeQuote(from.chain, user, quote)
  const record = await ended(quote.requestId, 'success')
  const { inTxs, outTxs } = record.data
  expect(inTxs.map(({ txHash }) => txHash)).toEqual([hash])
  expect(outTxs).toHaveLength(1)
  await Promise.all([...inTxs, ...outTxs].map(expectOnChain))
  const [after, has] = await Promise.all([balanceOnChain(from, user.address, give), balanceOnChain(to, recipient, get)])
  expect(outTxs[0]?.stateChanges).toContainEqual(moved(recipient.toLowerCase(), get, has - had))
  if (give !== NATIVE) expect(amountIn(record)?.amount).toBe((before - after).toString())
  return { quote, record, hash, got: has - had }
}

const expectSums = ({ data: { fees, route } }: RecordJson): void => {
  const micro = (text = '0') => BigInt(text.replace('.', ''))
  for (const [side, parts] of [
    [route.quoted, fees.quoted],
    [route.actual, fees.actual],
  ] as const) {
    if (parts === null) continue
    const out = side.destination === undefined ? side.origin.outputCurrency : side.destination.outputCurrency
    const impact = micro(out?.amountUsd) - micro(side.origin.inputCurrency?.amountUsd)
    const sum = [parts.swap, parts.execution, parts.platform, parts.app].reduce((all, { usd }) => all + micro(usd), 0n)
    expect(sum).toBe(impact)
  }
}

describe('a record compared with the chains, field by field (wire.md 3.1)', () => {
  it('of a bridge: what was deposited and paid, both transactions, order and settlement', async () => {
    const recipient = freshAddress()
    const user = userOf(world.network, 0)
    const asked = { user, from: origin(), to: destination(), give: origin().usdc, get: destination().usdc, recipient }
    const { quote, record, hash, got } = await transfer({ ...asked, amount: 25_000_000n })
    expect(amountOut(record)).toMatchObject({ amount: got.toString(), currency: { address: destination().usdc } })
    expectSums(record)
    expect(record.data.inTxs[0]?.stateChanges).toEqual([
      moved(user.address.toLowerCase(), origin().usdc, -25_000_000n),
      moved(origin().depository.toLowerCase(), origin().usdc, 25_000_000n),
    ])
    expect(record.data.outTxs[0]?.stateChanges).toEqual([
      moved(world.network.roles.solver.address.toLowerCase(), destination().usdc, -got),
      moved(recipient.toLowerCase(), destination().usdc, got),
    ])
    expect(record).toMatchObject({
      user: user.address.toLowerCase(),
      sender: user.address.toLowerCase(),
      recipient: recipient.toLowerCase(),
      requestType: 'Bridge',
      depositAddress: null,
      refundTo: null,
      data: { failReason: null, refundFailReason: null, failedTxHash: null, refundCurrencyData: null },
      protocol: {
        orderId: quote.protocol.v2.orderId,
        hubType: 'onchain',
        isWithdrawable: false,
        deposit: {
          origin: {
            amount: '25000000',
            chainId: origin().chain.chainId,
            currency: origin().usdc,
            depositor: user.address.toLowerCase(),
            depository: origin().depository.toLowerCase(),
            transactionId: hash,
          },
        },
        settlement: {
          destination: {
            fills: [{ chainId: destination().chain.chainId, transactionId: record.data.outTxs[0]?.txHash }],
            refunds: [],
          },
        },
      },
    })
  })

  it('of a swap on both sides: each leg with its provider, and what the recipient really got', async () => {
    const [from, to] = [origin(), destination()]
    const asked = { user: userOf(world.network, 1), from, to, give: unlistedOf(from), get: unlistedOf(to) }
    const { record, got } = await transfer({ ...asked, recipient: freshAddress(), amount: ether('40') })
    expectSums(record)
    const { actual, includedSwapSources } = record.data.route
    expect(record.requestType).toBe('Crosschain Swap')
    for (const side of [actual.origin, actual.destination]) expect(includedSwapSources).toContain(side?.router)
    expect(actual.origin.outputCurrency?.amount).toBe(record.protocol?.deposit.origin?.amount)
    expect(amountOut(record)?.amount).toBe(got.toString())
  })

  it('of a swap within one chain: no destination, what was received is the output of the origin (rules 1, 2)', async () => {
    const here = destination()
    const asked = { user: userOf(world.network, 2), from: here, to: here, give: here.usdc, get: unlistedOf(here) }
    const { record, got } = await transfer({ ...asked, recipient: freshAddress(), amount: ether('20') })
    expectSums(record)
    expect(record.requestType).toBe('Same-chain Swap')
    expect(record.protocol).toBeNull()
    expect(record.data.route.actual).not.toHaveProperty('destination')
    expect(record.data.route.actual.origin.outputCurrency?.amount).toBe(got.toString())
  })

  it('of a refund: what went back, what that cost, and no fill', async () => {
    const user = userOf(world.network, 3)
    const [from, to] = [origin(), destination()]
    const more = { referrer: 'debug-force-refund' }
    const asked = {
      user,
      from,
      to,
      give: from.usdc,
      get: to.usdc,
      amount: 10_000_000n,
      recipient: freshAddress(),
      more,
    }
    const quote = await quoteOf(asked)
    const before = await balanceOnChain(from, user.address, from.usdc)
    const hash = await executeQuote(from.chain, user, quote)
    const record = await ended(quote.requestId, 'refund')
    const { inTxs, outTxs, refundCurrencyData, route, fees } = record.data
    await Promise.all([...inTxs, ...outTxs].map(expectOnChain))
    expect(inTxs[0]?.txHash).toBe(hash)
    const lost = before - (await balanceOnChain(from, user.address, from.usdc))
    expect(refundCurrencyData).toMatchObject({
      amount: (10_000_000n - lost).toString(),
      currency: { address: from.usdc },
    })
    expect(route.actual.origin).toMatchObject({ inputCurrency: { amount: '10000000' }, outputCurrency: null })
    expect(route.actual.destination).toEqual(route.quoted.destination)
    expect(fees.actual?.execution.usd).toBe(`-0.${lost.toString().padStart(6, '0')}`)
    expect(record.protocol?.settlement.destination).toEqual({
      fills: [],
      refunds: [{ chainId: from.chain.chainId, transactionId: outTxs[0]?.txHash }],
    })
  })

  it('of a second deposit: a child of its own, found with its parent (rule 6); of a quote nobody paid: as quoted', async () => {
    const user = userOf(world.network, 4)
    const [from, to] = [origin(), destination()]
    const asked = { user, from, to, give: from.usdc, get: to.usdc, recipient: freshAddress() }
    const { quote, record } = await transfer({ ...asked, amount: 5_000_000n })
    const second = await depositToken(from, user, from.usdc, quote.protocol.v2.orderId, 5_000_000n)
    const child = await until('the child', async () => {
      const [found] = await find(`depositTxHash=${second}`)
      return found?.status === 'refund' ? found : null
    })
    await Promise.all([...child.data.inTxs, ...child.data.outTxs].map(expectOnChain))
    expect(child).toMatchObject({
      data: { failReason: 'DOUBLE_SPEND' },
      protocol: { orderId: quote.protocol.v2.orderId },
    })
    expect(amountIn(child)?.amount).toBe('5000000')
    const family = await find(`id=${record.id}&includeChildRequests=true`)
    expect(family.map(({ id }) => id).sort()).toEqual([record.id, child.id].sort())
    const unpaid = await quoteOf({ ...asked, amount: 6_000_000n })
    const waiting = await recordOf(unpaid.requestId)
    expect(waiting).toMatchObject({ status: 'waiting', data: { inTxs: [], outTxs: [] } })
    expect(amountIn(waiting)?.amount).toBe(unpaid.details.currencyIn.amount)
    expect(amountOut(waiting)?.amount).toBe(unpaid.details.currencyOut.amount)
  })

  it('says what the status operation says, whenever both are asked', async () => {
    const user = userOf(world.network, 0)
    const [from, to] = [origin(), destination()]
    const quote = await quoteOf({
      user,
      from,
      to,
      give: NATIVE,
      get: NATIVE,
      amount: ether('0.02'),
      recipient: freshAddress(),
    })
    await executeQuote(from.chain, user, quote)
    const order = ['waiting', 'pending', 'submitted', 'success']
    await until('success', async () => {
      const { body } = await callApi(world.host.url, `/intents/status/v3?requestId=${quote.requestId}`)
      const told = String(valueAt(body, 'status'))
      const { status } = await recordOf(quote.requestId)
      expect(order).toContain(told)
      expect(order.indexOf(status)).toBeGreaterThanOrEqual(order.indexOf(told))
      return status === 'success' ? true : null
    })
  })
})
