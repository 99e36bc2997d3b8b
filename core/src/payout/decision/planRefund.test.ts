import type { Pool } from 'pg'
import { describe, expect, it } from 'vitest'
import type { ChainAdapter } from '../../chain/chainAdapter.js'
import type { ChainRegistry } from '../../chain/chainRegistry.js'
import type { CurrencyRegistry } from '../../money/currency/currency.js'
import type { Prices } from '../../money/prices/priceSource.js'
import { parseUsd } from '../../money/usdMath.js'
import { planRefund } from './planRefund.js'

const USUAL_FEE = 1_000n
const EXACT_FEE = 300n

/** A refund of native currency on a chain whose usual fee is 1000 and whose simulation finds 300 to be enough. */
const planOf = async (
  amount: bigint,
  payable = (asked: bigint) => asked,
  {
    arrival = 0n,
    usd,
    providers = 1,
    ...from
  }: {
    readonly arrival?: bigint | null
    readonly arrivalPaid?: boolean
    readonly others?: bigint
    readonly unread?: boolean
    readonly usd?: bigint
    readonly providers?: number
  } = {},
) => {
  let simulations = 0
  const adapter: Pick<ChainAdapter, 'simulate' | 'estimatePayoutFee' | 'payable'> = {
    payable: ({ amount: asked }) => payable(asked),
    simulate: async ({ money }) => {
      simulations += 1
      expect(payable(money.amount)).toBe(money.amount)
      return { ok: true, gas: 21_000n, block: 1n, notRun: 'Its code is in a library.' }
    },
    estimatePayoutFee: async (_, simulation) => ({
      validForMs: 1_000,
      network: { currency: 'native', amount: simulation === undefined ? USUAL_FEE : EXACT_FEE },
    }),
  }
  const rpc = Array.from({ length: providers }, (_, at) => ({ http: `http://${at}`, provider: `${at}` }))
  const native = { chainId: 1, address: 'native', decimals: 6 }
  // CAST: a plan reads no more of these.
  const deps = {
    pool: {
      query: async () => ({ rows: [{ fee: String(arrival ?? 0n), unknown: arrival === null }] }),
    } as unknown as Pool,
    chains: {
      get: () => ({ adapter, config: { solver: 'solver', confirmations: { fill: 1 }, rpc } }),
    } as unknown as ChainRegistry,
    currencies: { native: () => native, find: () => native } as unknown as CurrencyRegistry,
    prices: { get: async () => (usd === undefined ? [] : [{ usd }]) } as unknown as Prices,
    clock: { now: () => 0 },
  }
  const deposit = { id: '1', chainId: 1, currency: 'native', amount }
  const plan = await planRefund(deps, {
    requestId: null,
    orderId: '0x01',
    refundTo: { address: 'user' },
    deposit,
    ...from,
  })
  return { plan, simulations }
}

describe('the refund of dust (F132, wire.md E.5)', () => {
  it('is given up without a simulation where its way back usually costs more than four times as much', async () => {
    const { plan, simulations } = await planOf(USUAL_FEE / 4n - 1n)
    expect(plan).toEqual({ refundFailReason: 'AMOUNT_TOO_LOW_TO_REFUND', details: null })
    expect(simulations).toBe(0)
  })

  it('is simulated from there on, and given up where it costs all there is', async () => {
    const { plan, simulations } = await planOf(EXACT_FEE)
    expect(plan).toEqual({ refundFailReason: 'AMOUNT_TOO_LOW_TO_REFUND', details: null })
    expect(simulations).toBe(1)
  })

  it('is paid where the simulation finds that it is worth it, however dear the usual one is', async () => {
    const { plan } = await planOf(EXACT_FEE + 1n)
    expect(plan).toMatchObject({ payout: { amount: 1n, fees: EXACT_FEE } })
  })

  it('keeps which part of it was not simulated', async () => {
    const { plan } = await planOf(EXACT_FEE + 1n)
    expect(plan).toMatchObject({ payout: { data: { gas: '21000', notRun: 'Its code is in a library.' } } })
  })
})

describe('a refund where a payment carries whole thousands only (chains.md xrpvm 10)', () => {
  const thousands = (amount: bigint): bigint => (amount / 1_000n) * 1_000n

  it('pays what can be carried, and keeps the rest as a fee beside that of its way', async () => {
    const { plan } = await planOf(12_345n, thousands)
    expect(plan).toMatchObject({ payout: { amount: 12_000n, fees: 345n } })
  })

  it('is given up where nothing that is left can be carried', async () => {
    const { plan } = await planOf(1_000n + EXACT_FEE - 1n, thousands)
    expect(plan).toEqual({ refundFailReason: 'AMOUNT_TOO_LOW_TO_REFUND', details: null })
  })
})

describe('a deposit that the service paid to bring in (F150)', () => {
  it('keeps that from its refund, and once alone', async () => {
    const refund = await planOf(5_000n, undefined, { arrival: 700n })
    expect(refund.plan).toMatchObject({ payout: { amount: 4_000n, fees: 1_000n } })
    const excess = await planOf(5_000n, undefined, { arrival: 700n, arrivalPaid: true })
    expect(excess.plan).toMatchObject({ payout: { amount: 4_700n, fees: EXACT_FEE } })
  })

  it('is parked where nothing is left then, and waits while the fee is not booked', async () => {
    const { plan } = await planOf(1_000n, undefined, { arrival: 700n })
    expect(plan).toEqual({ refundFailReason: 'AMOUNT_TOO_LOW_TO_REFUND', details: null })
    await expect(planOf(5_000n, undefined, { arrival: null })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })
})

describe('a refund to whoever sent it, with a part of others (F143)', () => {
  const DOLLAR = parseUsd('1') ?? 0n
  const SEVERAL = { refundFailReason: 'MANUAL_REFUND_REQUIRED', details: expect.stringContaining('another sender') }
  const paid = (amount: bigint) => ({ payout: { amount: amount - EXACT_FEE, recipient: { address: 'user' } } })

  // Of a coin with six digits at one dollar: a hundredth of 50 dollars is half a dollar, of 1000 dollars ten.
  it.each([
    ['none', 50_000_000n, 0n, 'paid'],
    ['one unit', 50_000_000n, 1n, 'paid'],
    ['a hundredth', 50_000_000n, 500_000n, 'paid'],
    ['more than a hundredth', 50_000_000n, 500_001n, 'manual'],
    ['a dollar', 1_000_000_000n, 1_000_000n, 'paid'],
    ['more than a dollar', 1_000_000_000n, 1_000_001n, 'manual'],
    ['what sending it back would take', 4n * EXACT_FEE, EXACT_FEE, 'paid'],
    ['more than that', 4n * EXACT_FEE, EXACT_FEE + 1n, 'manual'],
    ['most of it', 2n * EXACT_FEE, EXACT_FEE, 'manual'],
  ])('%s: of %d units %d make it %s', async (_what, amount, others, end) => {
    const { plan } = await planOf(amount, undefined, { others, usd: DOLLAR })
    expect(plan).toMatchObject(end === 'paid' ? paid(amount) : SEVERAL)
  })

  it('waits while who sent that part may be recorded soon, unless it is dust', async () => {
    const unread = { unread: true, usd: DOLLAR }
    expect((await planOf(50_000_000n, undefined, { ...unread, others: 1n })).plan).toMatchObject(paid(50_000_000n))
    await expect(planOf(50_000_000n, undefined, { ...unread, others: 500_001n })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    })
  })

  it('without a price only what sending it back would take is dust', async () => {
    expect((await planOf(50_000_000n, undefined, { others: EXACT_FEE })).plan).toMatchObject(paid(50_000_000n))
    expect((await planOf(50_000_000n, undefined, { others: EXACT_FEE + 1n })).plan).toMatchObject(SEVERAL)
  })

  it('is parked above what one provider is believed for, since one told who sent it', async () => {
    const from = { providers: 2, usd: DOLLAR }
    expect((await planOf(1_000_000_000n, undefined, { ...from, others: 0n })).plan).toMatchObject(paid(1_000_000_000n))
    const parked = { refundFailReason: 'MANUAL_REFUND_REQUIRED', details: expect.stringContaining('one provider told') }
    expect((await planOf(1_000_000_001n, undefined, { ...from, others: 0n })).plan).toMatchObject(parked)
    expect((await planOf(50_000_000n, undefined, { providers: 2, others: 0n })).plan).toMatchObject(parked)
    // A quote that names where to is asked nothing more.
    expect((await planOf(1_000_000_001n, undefined, from)).plan).toMatchObject(paid(1_000_000_001n))
  })
})
