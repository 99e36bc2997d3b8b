import type { ChainAdapter } from '../../../chain/chainAdapter.js'
import { ServiceError } from '../../../errors/serviceError.js'
import type { ConformanceHarness } from '../conformanceHarness.js'
import { depositSeen } from '../depositing.js'
import { endPayment, MORTAL } from '../ending.js'
import { type EndpointGate, startGate } from '../endpointGate.js'
import { makePayout, signPayout, verdict } from '../paying.js'
import { check, eventually, nativeOf, type Rule, there } from '../rule.js'

/** A started adapter over two gates to the same node, said to be of these providers; the second gate can be spoilt. */
const overTwo = async <T>(
  harness: ConformanceHarness,
  providers: readonly [string, string],
  use: (adapter: ChainAdapter, second: EndpointGate) => Promise<T>,
): Promise<T> => {
  const target = there(harness.rpc[0], 'the harness has no endpoint')
  const gates = [await startGate(target), await startGate(target)] as const
  const adapter = await harness.createAdapter(
    gates.map(({ endpoint }, at) => ({ ...endpoint, provider: providers[at] ?? '' })),
  )
  try {
    await adapter.start(new AbortController().signal)
    return await use(adapter, gates[1])
  } finally {
    await adapter.stop()
    await Promise.all(gates.map((gate) => gate.close()))
  }
}

/** An answer, or null where the adapter says that too few answer. */
const orDoubt = <T>(answer: Promise<T>): Promise<T | null> =>
  answer.catch((error: unknown) => {
    if (ServiceError.is(error)) return null
    throw error
  })

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
