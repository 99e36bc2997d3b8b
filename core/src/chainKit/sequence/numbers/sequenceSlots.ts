import { larger } from '../../../money/compare.js'
import type { AccountReading, FreeOrder, StrictOrder } from '../sequenceChain.js'
import { asideOf, nextOf, pointsOf } from './accountNumbers.js'
import type { SequenceSlot } from './sequenceGuard.js'
import type { AccountPosition } from './sequencePosition.js'

export interface SlotRules {
  readonly order: FreeOrder | StrictOrder
  /** How long a payment may land, in the unit of `until`. */
  readonly lifetime: bigint
}

/** Slots for further payments of an account; it ends where no more may be open at once. */
export function* slotsFor(
  position: AccountPosition,
  reading: AccountReading,
  { order, lifetime }: SlotRules,
): Generator<SequenceSlot, undefined> {
  const until = pointsOf(reading.moment).newest + lifetime
  if (order.kind === 'strict') return yield* strictSlots(position, reading, order, until)
  return yield* freeSlots(position, { ...order, until: order.until ?? (() => until) })
}

/** Slots that no state of the account decides. */
export function* freeSlots(
  { sequence: next }: AccountPosition,
  { least, until }: Pick<FreeOrder, 'least'> & Required<Pick<FreeOrder, 'until'>>,
): Generator<SequenceSlot, undefined> {
  for (let sequence = larger(next, least?.() ?? 0n); ; sequence += 1n) yield { sequence, until: until(sequence) }
}

/** Numbers held aside come first: what takes one waits for nothing, and holds nothing up. */
function* strictSlots(
  { slots }: AccountPosition,
  reading: AccountReading,
  { mostOpen = Number.POSITIVE_INFINITY }: StrictOrder,
  until: bigint,
): Generator<SequenceSlot, undefined> {
  const next = nextOf(reading)?.newest
  // An account that does not exist takes no payment.
  if (next === undefined) return undefined
  const { final } = pointsOf(reading.moment)
  for (const sequence of asideOf(reading, 'newest')) {
    if (isFree(slots.get(sequence), final)) yield { sequence, until, aside: true }
  }
  const waiting = [...slots].filter(([at, expiry]) => at >= next && !isFree(expiry, final)).length
  const numbers = freeNumbers(slots, next, final)
  for (let open = waiting; open < mostOpen; open += 1) yield { sequence: numbers.next().value, until }
  return undefined
}

/**
 * Numbers for the next payments on a chain that takes them strictly in order, lowest first: what was assigned and expired unused comes
 * before what is new, since nothing after it can land. `next` is the number the account takes next, `final` the newest final point of
 * what payments expire by. A number that is assigned again while its payment lives all the same pays nobody twice: the chain takes one
 * of both.
 */
function* freeNumbers(slots: AccountPosition['slots'], next: bigint, final: bigint): Generator<bigint, never> {
  for (let sequence = next; ; sequence += 1n) if (isFree(slots.get(sequence), final)) yield sequence
}

const isFree = (until: bigint | undefined, final: bigint): boolean => until === undefined || until < final
