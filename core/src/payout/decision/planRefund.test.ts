import type { Pool } from 'pg'
import { describe, expect, it } from 'vitest'
import type { ChainAdapter } from '../../chain/chainAdapter.js'
import type { ChainRegistry } from '../../chain/chainRegistry.js'
import type { CurrencyRegistry } from '../../money/currency/currency.js'
import type { Prices } from '../../money/prices/priceSource.js'
import { planRefund } from './planRefund.js'

const USUAL_FEE = 1_000n
const EXACT_FEE = 300n

/** A refund of native currency on a chain whose usual fee is 1000 and whose simulation finds 300 to be enough. */
const planOf = async (
  amount: bigint,
  payable = (asked: bigint) => asked,
  { arrival = 0n, ...more }: { readonly arrival?: bigint | null; readonly arrivalPaid?: boolean } = {},
) => {
  let simulations = 0
  const adapter: Pick<ChainAdapter, 'simulate' | 'estimatePayoutFee' | 'payable'> = {
    payable: ({ amount: asked }) => payable(asked),
    simulate: async ({ money }) => {
      simulations += 1
      expect(payable(money.amount)).toBe(money.amount)
      return { ok: true, gas: 21_000n, block: 1n }
    },
    estimatePayoutFee: async (_, simulation) => ({
      validForMs: 1_000,
      network: { currency: 'native', amount: simulation === undefined ? USUAL_FEE : EXACT_FEE },
    }),
  }
  const native = { chainId: 1, address: 'native' }
  // CAST: a plan reads no more of these.
  const deps = {
    pool: {
      query: async () => ({ rows: [{ fee: String(arrival ?? 0n), unknown: arrival === null }] }),
    } as unknown as Pool,
    chains: { get: () => ({ adapter, config: { solver: 'solver' } }) } as unknown as ChainRegistry,
    currencies: { native: () => native, find: () => native } as unknown as CurrencyRegistry,
    prices: { get: async () => [] } as unknown as Prices,
    clock: { now: () => 0 },
  }
  const deposit = { id: '1', chainId: 1, currency: 'native', amount }
  const plan = await planRefund(deps, {
    requestId: null,
    orderId: '0x01',
    refundTo: { address: 'user' },
    deposit,
    ...more,
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
