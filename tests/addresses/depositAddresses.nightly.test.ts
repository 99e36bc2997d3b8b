import { describe, expect, it } from 'vitest'
import { waitForQuiet } from '../harness/database/books.js'
import { until } from '../harness/until.js'
import { readSettledBooks } from '../transfers/chainBooks.js'
import { currencyOf } from '../transfers/servedChain.js'
import { payTo } from './hostWorld.js'
import {
  balance,
  disturbed,
  EVM_MARKER,
  ended,
  expectExactFilled,
  given,
  type History,
  historyOf,
  lies,
  payByContract,
  received,
  receivedAtLeast,
  refundParked,
  reindexOn,
  returned,
  usePaidAddresses,
  world,
  worth,
} from './paidAddresses.js'

usePaidAddresses()

describe('wire.md E.2, open', () => {
  it.each(['svm', 'bvm', 'xrpvm', 'hederavm', 'tonvm', 'tvm', 'hypevm'])(
    'exact amount, %s: the original quote is filled and its record tells of the address',
    expectExactFilled,
  )

  it.each(['svm', 'bvm', 'xrpvm', 'hederavm', 'tonvm', 'tvm', 'hypevm'])(
    'less, %s: a new quote for what came, told under the first id (K.4 1)',
    async (vm) => {
      const item = await given(vm)
      const { amount } = item.request
      await payTo(item, { amount: (amount * 6n) / 10n })
      expect(await ended(item)).toMatchObject({ status: 'success', failReason: 'N/A' })
      const got = await receivedAtLeast(item, 1n)
      expect(got).toBeLessThan((item.amountOut * 6n) / 10n)
      expect(got).toBeGreaterThan((item.amountOut * 5n) / 10n)
      const records = await historyOf(item)
      const owner = records.find(({ status }) => status === 'success')
      expect(owner?.id).not.toBe(item.requestId)
      const original = await fetch(`${world.url}/requests/v3?id=${item.requestId}`, {
        headers: { 'x-api-key': world.apiKey },
      })
      const { requests } = (await original.json()) as { readonly requests: readonly History[] }
      expect(requests[0]).toMatchObject({ status: 'success', supersededByRequestId: owner?.id })
    },
  )

  it('more: a new quote for the larger amount', async () => {
    const item = await given('evm')
    await payTo(item, { amount: item.request.amount * 2n })
    expect(await ended(item)).toMatchObject({ status: 'success' })
    expect(await receivedAtLeast(item, item.amountOut + 1n)).toBeGreaterThan((item.amountOut * 19n) / 10n)
  })

  it('dust waits, visible, and goes along with the next payment (faults.md F14)', async () => {
    const item = await given('evm')
    await payTo(item, { amount: 1_000n })
    await until('the dust to be seen', async () => {
      const { output } = await world.command('deposit-addresses', 'show', item.address)
      return output.includes('worth less than its sweep') ? true : null
    })
    expect(await lies(item)).toBe(1_000n)
    await payTo(item)
    expect(await ended(item)).toMatchObject({ status: 'success' })
    expect(await received(item)).toBeGreaterThanOrEqual(item.amountOut)
    expect(await lies(item)).toBe(0n)
  })

  it('reuse, second deposit after processing: each is filled for itself', async () => {
    const item = await given('evm')
    await payTo(item)
    expect(await ended(item)).toMatchObject({ status: 'success' })
    await payTo(item)
    await receivedAtLeast(item, item.amountOut + 1n)
    const records = await until('two records', async () => {
      const found = await historyOf(item)
      return found.filter(({ status }) => status === 'success').length === 2 ? found : null
    })
    expect(new Set(records.map(({ id }) => id)).size).toBe(2)
  })

  it('other solver token: re-quoted and filled', async () => {
    const item = await given('evm')
    const { decimals } = currencyOf(item.request.from, 'USDC')
    await payTo(item, { symbol: 'USDC', amount: 300n * 10n ** BigInt(decimals) })
    expect(await ended(item)).toMatchObject({ status: 'success' })
    expect(await receivedAtLeast(item, 1n)).toBeGreaterThan(worth('evm', 280n).amount)
  })

  it('other chain, same VM: filled after a reindex with targetChainId (2.11)', async () => {
    const item = await given('evm', { to: world.chain('svm'), symbol: 'USDC', amount: 200_000_000_000_000_000_000n })
    const target = world.chain('evm', 1)
    const wallet = target.nextWallet()
    await payTo(item, { chain: target, wallet, symbol: 'USDC', amount: 150_000_000n })
    const reindex = () => reindexOn(item, target)
    const answer = await until('the balance to be seen', async () => {
      const response = await reindex()
      return response.status === 200 ? response : null
    })
    expect(await answer.json()).toMatchObject({ triggeredCurrencies: [{ symbol: 'USDC', balance: '150000000' }] })
    expect((await reindex()).status).toBe(429)
    expect(await ended(item)).toMatchObject({ status: 'success' })
    expect(await received(item)).toBeGreaterThan(140_000_000n)
  })
})

describe('wire.md E.2, strict', () => {
  it('more: fills the quoted amount, the excess goes to refundTo in a leg of its own (faults.md F12)', async () => {
    const item = await given('evm', { strict: true })
    const { amount } = item.request
    await payTo(item, { amount: amount * 2n })
    expect(await ended(item)).toMatchObject({ status: 'success' })
    expect(await received(item)).toBe(item.amountOut)
    expect(await returned(item)).toBeGreaterThan((amount * 9n) / 10n)
  })

  it('second deposit after processing: DOUBLE_SPEND, refunded', async () => {
    const item = await given('evm', { strict: true })
    await payTo(item)
    await ended(item)
    await payTo(item)
    expect(await returned(item)).toBeGreaterThan((item.request.amount * 9n) / 10n)
    expect(await received(item)).toBe(item.amountOut)
    const reasons = (await historyOf(item)).map(({ data }) => data.failReason)
    expect(reasons).toContain('DOUBLE_SPEND')
  })

  it('other token: INCORRECT_DEPOSIT_CURRENCY, refunded', async () => {
    const item = await given('evm', { strict: true })
    const { decimals } = currencyOf(item.request.from, 'USDC')
    await payTo(item, { symbol: 'USDC', amount: 300n * 10n ** BigInt(decimals) })
    expect(await ended(item)).toMatchObject({ status: 'refund', failReason: 'INCORRECT_DEPOSIT_CURRENCY' })
    expect(await balance(item.request.from, item.refundTo ?? '', 'USDC')).toBeGreaterThan(0n)
  })

  it('other chain, same VM: DEPOSIT_CHAIN_MISMATCH, refunded there once it is looked for (faults.md F17)', async () => {
    const item = await given('evm', { strict: true, to: world.chain('svm'), symbol: 'USDC', amount: 200n * 10n ** 18n })
    const target = world.chain('evm', 1)
    await payTo(item, { chain: target, wallet: target.nextWallet(), symbol: 'USDC', amount: 200_000_000n })
    await until('the balance to be seen', async () => ((await reindexOn(item, target)).status === 200 ? true : null))
    expect(await ended(item)).toMatchObject({ status: 'refund', failReason: 'DEPOSIT_CHAIN_MISMATCH' })
    expect(await balance(target, item.refundTo ?? '', 'USDC')).toBeGreaterThan(190_000_000n)
  })

  it('EXACT_OUTPUT: what was asked for arrives', async () => {
    const wanted = worth('evm', 150n).amount
    const item = await given('evm', { strict: true, amount: wanted, more: { tradeType: 'EXACT_OUTPUT' } })
    await payTo(item, { amount: BigInt(item.quote.details.currencyIn.amount) })
    expect(await ended(item)).toMatchObject({ status: 'success' })
    expect(await received(item)).toBe(wanted)
  })
})

describe('wire.md E.5', () => {
  it('the native marker: what cannot be filled goes back to who sent it', async () => {
    const item = await given('evm', { strict: true, refundTo: EVM_MARKER })
    const before = await balance(item.request.from, item.payer.address, item.request.symbol)
    await payTo(item, { amount: item.request.amount - 1n })
    expect(await ended(item)).toMatchObject({ status: 'refund' })
    const after = await balance(item.request.from, item.payer.address, item.request.symbol)
    expect(before - after).toBeLessThan(item.request.amount / 10n)
  })

  it('absent, open: failure with MANUAL_REFUND_REQUIRED, the money parked and visible (K.4 2)', async () => {
    const item = await given('evm', { refundTo: null, more: { referrer: 'debug-force-refund' } })
    await payTo(item)
    expect(await ended(item)).toMatchObject({ status: 'failure', refundFailReason: 'MANUAL_REFUND_REQUIRED' })
    const { output } = await world.command('parked', 'list')
    expect(output).toContain(item.requestId)
    expect(await refundParked(item)).toBeGreaterThan(0n)
  })
})

describe('wire.md E.5, back to whoever sent it, with one unit of a stranger (faults.md F143)', () => {
  it('paid by a contract, which the chain does not show: parked with the reason, never the stranger’s', async () => {
    const { item, stranger, strangerHad, amount } = await disturbed()
    const { from, symbol } = item.request
    await payByContract(item, amount)
    await until('the payment', async () => ((await lies(item)) > 1n ? true : null))
    expect((await reindexOn(item, from)).status).toBe(200)
    expect(await ended(item)).toMatchObject({
      status: 'failure',
      failReason: 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL',
      refundFailReason: 'MANUAL_REFUND_REQUIRED',
      details: expect.stringContaining('does not show'),
    })
    expect(await balance(from, stranger.address, symbol)).toBe(strangerHad)
    expect(await refundParked(item)).toBeGreaterThan((amount * 9n) / 10n)
  })
})

it('what arrived equals fills, refunds, fees and what is parked, per currency, by the chains and the books', async () => {
  await waitForQuiet(world.pool)
  const { code, output } = await world.command('ledger', 'check')
  expect(output).toContain('rules hold')
  expect(code).toBe(0)
  const { chains, pool, api } = world
  const { lines, problems } = await readSettledBooks({ pool, chains, solvers: await api.solvers() })
  expect(problems).toEqual([])
  expect(lines.filter(({ account, real }) => account === 'depository' && real !== 0n)).toEqual([])
})
