import type { SignedAttempt } from '../../chain/laneAdapter.js'
import type { ConformanceHarness } from './conformanceHarness.js'
import { broadcast, signOne, storedAttempt } from './paying.js'
import { type Rule, steadyTip, there } from './rule.js'

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

/**
 * Lets the time of payments pass. A local chain adds in an instant what takes minutes elsewhere: what is signed next must not rest on a
 * block from before.
 */
export const passLifetime = async (harness: ConformanceHarness, attempts: readonly SignedAttempt[]): Promise<void> => {
  await harness.expire?.(attempts)
  await steadyTip(harness)
}

/** Has a payment that is in no block end: it is dead as soon as that is final. */
export const endPayment = async (harness: ConformanceHarness, attempt: SignedAttempt): Promise<void> => {
  const { adapter, advance } = harness
  if (!cancels(harness)) return passLifetime(harness, [attempt])
  const draft = there(await adapter.lane.cancel(attempt, { version: 2 }), 'cancel gives nothing')
  await broadcast(adapter, await signOne(harness, storedAttempt(draft)))
  await advance(1)
}
