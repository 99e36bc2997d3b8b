import { blockingTokenAbi } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callApi, listAt, textAt, valueAt } from '../harness/apiCall.js'
import { balanceOnChain, findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import { ether, NATIVE, userOf } from '../harness/localNetwork.js'
import { freshAddress, receiptOf } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { type HttpWorld, postQuote, rowCounts, startHttpWorld, tokenBody } from './httpWorld.js'
import { amountAt, expectAmount, microUsdAt, namesAt } from './quoteAmounts.js'

let world: HttpWorld
beforeAll(async () => {
  world = await startHttpWorld({ plugins: () => ({ 'gas-topup': {} }) })
})
afterAll(() => world?.close())

/** What 2 dollars are of native currency at the 2,000 dollars of the test host. */
const USUAL = ether('0.001')
const USUAL_MICRO_USD = 2_000_000n

const quoted = async (body: unknown, path = '/quote'): Promise<unknown> => {
  const answer = await postQuote(world, body, path)
  expect([answer.status, valueAt(answer.body, 'message')]).toEqual([200, undefined])
  return answer.body
}

const nativeOf = (at: 0 | 1) => {
  const { chain } = world.network.chains[at]
  return { chainId: chain.chainId, address: NATIVE, symbol: 'ETH', decimals: 18 }
}

/** Sends every transaction of a quote, as the user would. */
const execute = async (answer: unknown, user = userOf(world.network, 0)): Promise<void> => {
  const [{ chain }] = world.network.chains
  for (const step of listAt(answer, 'steps')) {
    const to = textAt(step, 'items.0.data.to')
    // CAST: calldata is hex.
    const data = textAt(step, 'items.0.data.data') as Hex
    await receiptOf(chain, await chain.send(user, { to, data, value: amountAt(step, 'items.0.data.value') }))
  }
}

const statusOf = async (answer: unknown): Promise<unknown> => {
  const path = `/intents/status/v3?requestId=${textAt(answer, 'requestId')}`
  return until('the end of the request', async () => {
    const { body } = await callApi(world.host.url, path)
    return ['success', 'refund', 'failure'].includes(String(valueAt(body, 'status'))) ? body : null
  })
}

const held = (at: 0 | 1, account: string, currency: string) =>
  balanceOnChain(world.network.chains[at], account, currency)

describe('topupGas in a quote (wire.md G.1)', () => {
  it.each(['EXACT_INPUT', 'EXPECTED_OUTPUT', 'EXACT_OUTPUT'])(
    '%s: the user pays for it with the network cost, and the identities hold (D.2 to D.4)',
    async (tradeType) => {
      const amount = (tradeType === 'EXACT_INPUT' ? 25_000_000n : ether('25')).toString()
      const plain = await quoted(tokenBody(world, { tradeType, amount }))
      const answer = await quoted(tokenBody(world, { tradeType, amount, topupGas: true }))
      const topup = expectAmount(answer, 'details.currencyGasTopup', nativeOf(1))
      expect(topup).toEqual({ amount: USUAL, usd: USUAL_MICRO_USD, minimum: USUAL })
      expect(namesAt(plain, 'details')).not.toContain('currencyGasTopup')
      const fee = (of: unknown, name: string) => amountAt(of, `fees.${name}.amount`)
      expect(fee(answer, 'relayer')).toBe(fee(answer, 'relayerGas') + fee(answer, 'relayerService'))
      expect(fee(answer, 'relayerService')).toBe(fee(plain, 'relayerService'))
      // The transaction itself costs more as well: a router's instead of a token's.
      const more = fee(answer, 'relayerGas') - fee(plain, 'relayerGas')
      expect(more).toBeGreaterThanOrEqual(USUAL_MICRO_USD)
      expect(more).toBeLessThan(USUAL_MICRO_USD + 10n * fee(plain, 'relayerGas'))
      const usd = (path: string) => microUsdAt(answer, path)
      const part = (name: string) => usd(`details.expandedPriceImpact.${name}.usd`)
      const total = usd('details.totalImpact.usd')
      expect(total).toBe(usd('details.currencyOut.amountUsd') - usd('details.currencyIn.amountUsd'))
      expect(usd('details.swapImpact.usd')).toBe(total + usd('fees.relayer.amountUsd') + usd('fees.app.amountUsd'))
      expect(part('execution')).toBe(-(20_000n + usd('fees.relayerGas.amountUsd')))
      expect(part('swap') + part('execution') + part('relay') + part('app')).toBe(total)
    },
  )

  it('costs the same by /price, which does not tell it and writes nothing (1.8)', async () => {
    const before = await rowCounts(world)
    const answer = await quoted(tokenBody(world, { topupGas: true }), '/price')
    expect(amountAt(answer, 'fees.relayerGas.amount')).toBeGreaterThanOrEqual(USUAL_MICRO_USD)
    expect(namesAt(answer, 'details')).not.toContain('currencyGasTopup')
    expect(await rowCounts(world)).toEqual(before)
  })
})

describe('the fill brings both (wire.md G.1)', () => {
  it.each([
    { name: 'exact input', to: 1, amount: 25_000_000n, tradeType: 'EXACT_INPUT', topup: USUAL, more: {} },
    { name: 'on one chain', to: 0, amount: 25_000_000n, tradeType: 'EXACT_INPUT', topup: USUAL, more: {} },
  ] as const)(
    '$name: the token and the native currency, to the unit',
    async ({ to, amount, tradeType, topup, more }) => {
      const { chain, usdc } = world.network.chains[to]
      const recipient = freshAddress()
      const body = tokenBody(world, {
        destinationChainId: chain.chainId,
        destinationCurrency: usdc,
        amount: amount.toString(),
        tradeType,
        recipient,
        topupGas: true,
        ...more,
      })
      const answer = await quoted(body)
      expect(listAt(answer, 'steps').map((step) => valueAt(step, 'id'))).toEqual(['approve', 'deposit'])
      await execute(answer)
      expect(await statusOf(answer)).toMatchObject({ status: 'success', txHashes: [expect.any(String)] })
      expect(await held(to, recipient, usdc)).toBe(amountAt(answer, 'details.currencyOut.amount'))
      expect(await held(to, recipient, NATIVE)).toBe(topup)
    },
  )

  it('is held by the quote and free again once it was paid', async () => {
    const held = async (answer: unknown) => {
      const { rows } = await world.database.pool.query<{ topup: string; slot: string; kept: string }>(
        `select q.hold_topup::text as topup, coalesce(s.amount, 0)::text as slot,
           (select coalesce(sum(r.topup_amount) filter (where r.committed), 0)::text from requests r where r.id = q.id) as kept
         from quotes q left join hold_slots s on s.chain_id = $2 and s.currency = $3 and s.stripe = q.hold_stripe and s.slot = q.hold_slot
         where q.id = decode($1, 'hex')`,
        [textAt(answer, 'requestId').slice(2), world.network.chains[1].chain.chainId, NATIVE],
      )
      return rows[0]
    }
    const answer = await quoted(tokenBody(world, { topupGas: true, recipient: freshAddress() }))
    const before = await held(answer)
    expect(before).toMatchObject({ topup: USUAL.toString(), kept: '0' })
    expect(BigInt(before?.slot ?? 0)).toBeGreaterThanOrEqual(USUAL)
    await execute(answer)
    await statusOf(answer)
    const after = await held(answer)
    expect(after?.kept).toBe('0')
    expect(BigInt(after?.slot ?? 0)).toBeLessThanOrEqual(BigInt(before?.slot ?? 0) - USUAL)
  })

  it('a fill that became impossible brings neither: the deposit goes back', async () => {
    const [origin, destination] = world.network.chains
    const [recipient, refundTo] = [freshAddress(), freshAddress()]
    const currencies = { originCurrency: origin.blockable, destinationCurrency: destination.blockable }
    const answer = await quoted(tokenBody(world, { ...currencies, recipient, refundTo, topupGas: true }))
    const data = encodeFunctionData({ abi: blockingTokenAbi, functionName: 'block', args: [recipient] })
    const block = { to: destination.blockable, data }
    await receiptOf(destination.chain, await destination.chain.send(userOf(world.network, 1), block))
    await execute(answer)
    expect(await statusOf(answer)).toMatchObject({ status: 'refund', txHashes: [expect.any(String)] })
    expect(await held(1, recipient, NATIVE)).toBe(0n)
    const returned = await held(0, refundTo, origin.blockable)
    expect(returned).toBeGreaterThan(24_000_000n)
    expect(returned).toBeLessThanOrEqual(25_000_000n)
  })

  it('leaves books that agree with both chains to the unit (architecture.md 6 Ledger)', async () => {
    await waitForQuiet(world.database.pool)
    expect(await findDiscrepancies(world.database.pool, world.network)).toEqual([])
  })
})

describe('what is refused', () => {
  it.each([
    { name: 'too little', more: { topupGas: true, topupGasAmount: '9999' }, message: /from 10000 to 50000000/ },
  ])('$name: 400 INVALID_REQUEST, and nothing is written', async ({ more, message }) => {
    const before = await rowCounts(world)
    const { status, body } = await postQuote(world, tokenBody(world, more))
    expect([status, valueAt(body, 'errorCode')]).toEqual([400, 'INVALID_REQUEST'])
    expect(textAt(body, 'message')).toMatch(message)
    expect(await rowCounts(world)).toEqual(before)
  })

  it('an amount that it would eat up', async () => {
    const { status, body } = await postQuote(world, tokenBody(world, { amount: '2000000', topupGas: true }))
    expect([status, valueAt(body, 'errorCode')]).toEqual([400, 'AMOUNT_TOO_LOW'])
  })

  it('a recipient that takes tokens but no native currency (faults.md F62)', async () => {
    const [, { chain }] = world.network.chains
    const recipient = await chain.deployToken({ name: 'Not listed', symbol: 'NOT', decimals: 18 })
    await quoted(tokenBody(world, { recipient }))
    const { status, body } = await postQuote(world, tokenBody(world, { recipient, topupGas: true }))
    expect([status, valueAt(body, 'errorCode')]).toEqual([400, 'DESTINATION_TX_FAILED'])
    expect(textAt(body, 'message')).toMatch(/recipient cannot/)
  })
})
