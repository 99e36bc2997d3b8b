import type { PayoutPurpose } from '../../../chain/laneAdapter.js'
import type { ConformanceHarness } from '../conformanceHarness.js'
import { balanceOf, broadcast, included, makePayout, signPayout, succeeded } from '../paying.js'
import { check, eventually, forEachCurrency, type Rule } from '../rule.js'

const PURPOSES: readonly PayoutPurpose[] = ['fill', 'refund', 'excess']

/** What is told to have arrived is what the recipient gained, and it counts as paid. */
const toldAsArrived = async (harness: ConformanceHarness, currency: string): Promise<void> => {
  const { adapter, amount } = harness
  for (const purpose of PURPOSES) {
    const payout = await makePayout(harness, { purpose, money: { currency, amount } })
    const attempt = await signPayout(harness, payout)
    await broadcast(adapter, attempt)
    const { paid } = await succeeded(harness, attempt, payout)
    const gained = await balanceOf(harness, payout.to.address, currency)
    check(paid === null || paid === gained, `says that ${paid} of a ${purpose} arrived; the recipient gained ${gained}`)
    const said = await adapter.lane.payoutVerdict(attempt.guards, [attempt.txId], { agreeing: 1, payout })
    check(said !== 'dead', `calls a ${purpose} dead that arrived, when it is told what was to be paid`)
  }
}

/** A payment that succeeds and moves nothing is told as such, and dead once that is final. */
const hollow = async (harness: ConformanceHarness): Promise<void> => {
  const token = await harness.hollowToken?.()
  if (token === undefined) return
  const { adapter, amount } = harness
  const payout = await makePayout(harness, { money: { currency: token.currency, amount } })
  const attempt = await signPayout(harness, payout)
  await token.empty()
  await broadcast(adapter, attempt)
  const { status, paid } = await included(harness, attempt, payout)
  check((await balanceOf(harness, payout.to.address, token.currency)) === 0n, 'the token moved: the harness is wrong')
  check(status === 'reverted' || paid === 0n, `says that ${paid} arrived of a payment that moved nothing`)
  await eventually('payoutVerdict saying "dead" of a payment that moved nothing', async () => {
    await harness.advance(2)
    const said = await adapter.lane.payoutVerdict(attempt.guards, [attempt.txId], { agreeing: 1, payout })
    check(said !== 'landed', 'calls a payment landed that moved nothing, although it is told what was to be paid')
    return said === 'dead' ? true : null
  })
}

/** Success is what arrived. */
export const arrivalRules: readonly Rule[] = [
  {
    id: 'payout-paid',
    says: 'what is told to have arrived is what the recipient gained, and a payment that moved nothing is not told as paid (architecture.md 3)',
    run: async (harness) => {
      await forEachCurrency(harness, (currency) => toldAsArrived(harness, currency))
      await hollow(harness)
    },
  },
]
