import type { ChainAdapter } from '../../../chain/chainAdapter.js'
import type { ConformanceHarness } from '../conformanceHarness.js'
import { depositSeen } from '../depositing.js'
import { endPayment, MORTAL } from '../ending.js'
import { makePayout, signPayout, verdict } from '../paying.js'
import { check, eventually, nativeOf, type Rule } from '../rule.js'
import { orDoubt, overTwo } from '../twoProviders.js'

const depositAgreed = async (harness: ConformanceHarness): Promise<void> => {
  const { found } = await depositSeen(harness, nativeOf(harness))
  const claim = { ...found, height: found.block?.height ?? 0n }
  const confirms = (adapter: ChainAdapter, agreeing: number) => orDoubt(adapter.confirmDeposit(claim, { agreeing }))
  await overTwo(harness, ['north', 'south'], async (adapter, second) => {
    await eventually(
      'two providers confirming a deposit that both show',
      async () => ((await confirms(adapter, 2)) === true ? true : null),
      harness.patienceSeconds,
    )
    check((await confirms(adapter, 3)) !== true, 'confirms by three providers where there are two')
    second.set('refusing')
    check((await confirms(adapter, 2)) !== true, 'confirms by two providers while only one of them answers')
  })
  await overTwo(harness, ['north', 'north'], async (adapter) => {
    check((await confirms(adapter, 2)) !== true, 'counts two endpoints of one provider as two')
  })
}

const deathAgreed = async (harness: ConformanceHarness): Promise<void> => {
  const attempt = await signPayout(harness, await makePayout(harness))
  const payoutVerdict = (adapter: ChainAdapter, agreeing?: number) =>
    orDoubt(
      adapter.lane.payoutVerdict(attempt.guards, [attempt.txId], agreeing === undefined ? undefined : { agreeing }),
    )
  await overTwo(harness, ['north', 'south'], async (adapter, second) => {
    second.set('noting')
    check((await payoutVerdict(adapter)) === 'alive', 'calls a payment dead that may still land')
    second.set('pass')
    await endPayment(harness, attempt)
    await verdict(harness, attempt, 'dead')
    await eventually(
      'two providers agreeing on a death that both show',
      async () => ((await payoutVerdict(adapter)) === 'dead' ? true : null),
      harness.patienceSeconds,
    )
    check((await payoutVerdict(adapter, 3)) !== 'dead', 'calls dead by three providers where there are two')
    second.set('past')
    check((await payoutVerdict(adapter)) !== 'dead', 'calls dead what one of two providers does not show as dead yet')
    second.set('refusing')
    check((await payoutVerdict(adapter)) !== 'dead', 'calls dead by the vote of one provider where there are two')
  })
  await overTwo(harness, ['north', 'north'], async (adapter) => {
    check((await payoutVerdict(adapter, 2)) !== 'dead', 'counts two endpoints of one provider as two')
  })
}

/** What several providers must say (invariant 3). */
export const agreementRules: readonly Rule[] = [
  {
    id: 'deposit-agreed',
    says: 'a deposit is confirmed by as many distinct providers as are asked for, never by fewer (invariant 3)',
    run: depositAgreed,
  },
  {
    id: 'death-agreed',
    says: 'where there are two providers both must say that a payment is dead; one that lags or is away has no vote (F122)',
    ...MORTAL,
    run: deathAgreed,
  },
]
