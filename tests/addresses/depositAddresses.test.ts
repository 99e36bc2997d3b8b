import { describe, expect, it } from 'vitest'
import { waitForQuiet } from '../harness/database/books.js'
import { until } from '../harness/until.js'
import { readSettledBooks } from '../transfers/chainBooks.js'
import { payTo } from './hostWorld.js'
import {
  balance,
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
} from './paidAddresses.js'

usePaidAddresses(['evm'])

describe('wire.md E.2, open', () => {
  it('exact amount: the original quote is filled and its record tells of the address', () => expectExactFilled('evm'))

  it('less: a new quote for what came, told under the first id (K.4 1)', async () => {
    const item = await given('evm')
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
  })
})

describe('wire.md E.2, strict', () => {
  it('less by one unit: fails and is refunded (faults.md F11)', async () => {
    const item = await given('evm', { strict: true })
    const { amount } = item.request
    await payTo(item, { amount: amount - 1n })
    expect(await ended(item)).toMatchObject({ status: 'refund', failReason: 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL' })
    expect(await returned(item)).toBeGreaterThan((amount * 9n) / 10n)
    expect(await received(item)).toBe(0n)
  })
})

describe('wire.md E.5, back to whoever sent it, with one unit of a stranger (faults.md F143)', () => {
  /** Too little for a strict address, so that it goes back, at an address that a stranger sent one unit to before. */
  const disturbed = async () => {
    const item = await given('evm', { strict: true, refundTo: EVM_MARKER })
    const { from, symbol, amount } = item.request
    const stranger = from.nextWallet()
    await payTo(item, { amount: 1n, wallet: stranger })
    await until('the unit', async () => ((await lies(item)) === 1n ? true : null))
    const [had, strangerHad] = await Promise.all([
      balance(from, item.payer.address, symbol),
      balance(from, stranger.address, symbol),
    ])
    return { item, stranger, had, strangerHad, amount: amount - 2n }
  }

  it('the payer of the rest gets it', async () => {
    const { item, stranger, had, strangerHad, amount } = await disturbed()
    const { from, symbol } = item.request
    await payTo(item, { amount })
    expect(await ended(item)).toMatchObject({ status: 'refund' })
    expect(had - (await balance(from, item.payer.address, symbol))).toBeLessThan(amount / 10n)
    expect(await balance(from, stranger.address, symbol)).toBe(strangerHad)
  })

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
