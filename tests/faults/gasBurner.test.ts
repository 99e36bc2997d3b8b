import { describe, expect, it } from 'vitest'
import { findDiscrepancies, paymentsByOrder, waitForQuiet } from '../harness/database/books.js'
import {
  burnAhead,
  deployBurner,
  deployment,
  destination,
  ended,
  expectRefundUnsent,
  network,
  quoteTo,
  useGasBurner,
} from './gasBurner.test.support.js'

useGasBurner()

describe('F124: nobody has the solver pay for gas that its order was not charged', () => {
  it('a recipient cheap at the quote and dear at the fill is refunded before anything is sent', () =>
    expectRefundUnsent((burner) => quoteTo(0, burner)))

  it('where the gas eats the whole deposit, nothing is sent back by itself: it is parked', async () => {
    const burner = await deployBurner()
    const quote = await quoteTo(2, burner, {}, 1_000n, 'EXACT_OUTPUT')
    await burnAhead(2, quote, burner)
    expect(await ended(quote)).toMatchObject({ status: 'failure', refundFailReason: 'AMOUNT_TOO_LOW_TO_REFUND' })
  })

  it('leaves books that agree with both chains, and no order paid twice', async () => {
    await waitForQuiet(deployment.pool)
    expect(await findDiscrepancies(deployment.pool, network)).toEqual([])
    const paid = await paymentsByOrder(destination(), network.roles.solver.address)
    expect([...paid.values()].every(({ fills }: { fills: number }) => fills <= 1)).toBe(true)
  })
})
