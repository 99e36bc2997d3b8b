import { describe, expect, it } from 'vitest'
import { waitForQuiet } from '../harness/database/books.js'
import { readSettledBooks } from '../transfers/chainBooks.js'
import { payTo } from './hostWorld.js'
import {
  balance,
  disturbed,
  ended,
  expectExactFilled,
  given,
  type History,
  historyOf,
  received,
  receivedAtLeast,
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
  it('the payer of the rest gets it', async () => {
    const { item, stranger, had, strangerHad, amount } = await disturbed()
    const { from, symbol } = item.request
    await payTo(item, { amount })
    expect(await ended(item)).toMatchObject({ status: 'refund' })
    expect(had - (await balance(from, item.payer.address, symbol))).toBeLessThan(amount / 10n)
    expect(await balance(from, stranger.address, symbol)).toBe(strangerHad)
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
