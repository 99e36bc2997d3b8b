import type { AttemptState } from '@causeway/core/chain'
import {
  arrivalOf,
  latestAttempt,
  newLocators,
  type PayoutAttempt,
  recordLocators,
  type StoredAttempt,
  type StoredPayout,
  toChainPayout,
  toSentAttempt,
  withLocators,
} from '@causeway/core/money-path'
import type { LaneContext } from '../laneContext.js'

/** What the chain shows of one payout's live generation. */
export interface PayoutLook {
  readonly payout: StoredPayout
  readonly seen: readonly SeenAttempt[]
}

/** An attempt, and what the chain shows of it. */
export interface SeenAttempt {
  readonly attempt: StoredAttempt
  readonly state: AttemptState
}

/** Asks the chain about the live generations of payouts, in one call; keeps where they are to be found. */
export const lookAt = async (lane: LaneContext, payouts: readonly StoredPayout[]): Promise<PayoutLook[]> => {
  const flat: readonly PayoutAttempt[] = payouts.flatMap((payout) =>
    payout.live.map((attempt) => ({ payout, attempt })),
  )
  const { adapter, config } = lane.chain
  const states = await adapter.lane.states(flat.map(({ payout, attempt }) => toSentAttempt(payout, attempt)))
  const shown = flat.flatMap(({ payout, attempt }, at) => {
    const state = states[at]
    return state === undefined ? [] : [{ payout, attempt, state }]
  })
  const locators = newLocators(shown)
  await recordLocators(lane.pool, config.id, locators)
  // What a transaction brought differs by whom it was to pay.
  const key = ({ id }: StoredPayout, { txId }: StoredAttempt): string => `${id} ${txId}`
  const stateOf = new Map(shown.map(({ payout, attempt, state }) => [key(payout, attempt), state]))
  return payouts.map((found) => {
    const payout = locators.size === 0 ? found : withLocators(found, locators)
    const seen = payout.live.flatMap((attempt) => {
      const state = stateOf.get(key(payout, attempt))
      return state === undefined ? [] : [{ attempt, state }]
    })
    return { payout, seen }
  })
}

/**
 * Signed for a deposit that has left its chain since, and to be cancelled as long as it can be. What was in a block once is known
 * everywhere, and its request is `success`: it is left to land again.
 */
export const isGroundless = (payout: StoredPayout): boolean =>
  payout.deposit?.onChain === false && payout.inclusions === 0 && latestAttempt(payout)?.kind === 'pay'

/** No node shows anything of it, or its guard is spent otherwise. */
export const needsProof = ({ payout, seen }: PayoutLook): boolean =>
  payout.action === 'prove-dead' || seen.every(({ state }) => state.status === 'missing')

/** The payment that the chain shows; one that moved nothing is none (faults.md F123). */
export const paymentOf = ({ payout, seen }: PayoutLook): SeenAttempt | undefined =>
  seen.find(({ attempt, state }) => attempt.kind === 'pay' && isPaid(payout, state))

/** What spent the guard without paying. */
export const spentBy = ({ payout, seen }: PayoutLook): SeenAttempt | undefined =>
  seen.find(
    ({ attempt, state }) =>
      state.status === 'reverted' ||
      (state.status === 'success' && (attempt.kind === 'cancel' || !isPaid(payout, state))),
  )

const isPaid = (payout: StoredPayout, state: AttemptState): boolean =>
  state.status === 'success' && arrivalOf(toChainPayout(payout), state) !== 'nothing'
