import type { SignedAttempt } from '../../chain/laneAdapter.js'
import type { ConformanceHarness } from './conformanceHarness.js'
import { broadcast, signOne, storedAttempt } from './paying.js'
import { type Rule, there } from './rule.js'

/** Whether payments of this chain are ended by a cancel; else by time. */
export const cancels = ({ adapter }: ConformanceHarness): boolean => adapter.capabilities.bump === 'replace'

/** What a rule needs that has a payment die: a cancel, or the passing of its time. */
export const MORTAL: Required<Pick<Rule, 'needs' | 'exemption'>> = {
  needs: { ability: 'expire', isThere: (harness) => cancels(harness) || harness.expire !== undefined },
  exemption: (harness) =>
    cancels(harness) && harness.deviations?.['payout-cancelled'] !== undefined
      ? 'payments can neither be cancelled nor expire'
      : null,
}

/** Has a payment that is in no block end: it is dead as soon as that is final. */
export const endPayment = async (harness: ConformanceHarness, attempt: SignedAttempt): Promise<void> => {
  const { adapter, expire, advance } = harness
  if (!cancels(harness)) return expire?.([attempt])
  const draft = there(await adapter.lane.cancel(attempt, { version: 2 }), 'cancel gives nothing')
  await broadcast(adapter, await signOne(harness, storedAttempt(draft)))
  await advance(1)
}
