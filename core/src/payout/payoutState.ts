import type { PayoutPurpose } from '../chain/laneAdapter.js'

/** Where a payout stands: `signed` from its first stored attempt on, `included` on the chain, `final` beyond any reorg. */
export type PayoutState = 'ready' | 'signed' | 'included' | 'final' | 'dead' | 'abandoned'

/** The moves there are. Each statement that makes one names the states that it comes from; the simulation shows that no other happens. */
const PAYOUT_TRANSITIONS: Readonly<Record<PayoutState, readonly PayoutState[]>> = {
  // Dead or abandoned without a signature: its deposit left, its order was paid otherwise, or it cannot be made.
  ready: ['signed', 'dead', 'abandoned'],
  // Back to ready: its generation is proven dead, and it is tried again under new guards.
  signed: ['included', 'ready', 'dead'],
  // Back to signed: it left the chain, and the same bytes go out again.
  included: ['final', 'signed'],
  final: [],
  // Made again: its deposit is back, or an operator pays it or found what paid it.
  dead: ['ready'],
  // Dead: its deposit left.
  abandoned: ['ready', 'dead'],
}

const MORE: Readonly<Partial<Record<PayoutPurpose, Partial<Record<PayoutState, readonly PayoutState[]>>>>> = {
  // Its deposit is back, whose excess was not paid while it was away.
  fill: { final: ['included'] },
  // Somebody else submitted what the allocator had signed.
  withdraw: { ready: ['final'] },
}

/** Where a payout of a purpose may go to from a state. */
export const payoutTransitions = (purpose: PayoutPurpose, from: PayoutState): readonly PayoutState[] => [
  ...PAYOUT_TRANSITIONS[from],
  ...(MORE[purpose]?.[from] ?? []),
]
