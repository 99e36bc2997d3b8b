import type { Json } from '../../chain/json.js'
import type { SequenceSlot } from './sequenceGuard.js'

/**
 * Where a lane goes on. Both parts are facts that stay true when the position comes back after what it counted has died: no number below
 * `sequence` is new, and what was assigned until when.
 */
export interface SequencePosition {
  /** The lowest number that was never assigned to a payment. */
  readonly sequence: bigint
  /** Where the chain takes numbers strictly in order: until when each number assigned may land, those left out that surely expired. */
  readonly slots: ReadonlyMap<bigint, bigint>
}

/** As `LaneAdapter.prepare` returns it: `{ sequence, slots }` in decimal text, `slots` left out where there are none. */
export const positionJson = ({ sequence, slots }: SequencePosition): Json => ({
  sequence: sequence.toString(),
  ...(slots.size === 0 ? {} : { slots: Object.fromEntries([...slots].map(([at, until]) => [`${at}`, `${until}`])) }),
})

/** The position of an account whose journal is lost: no number is known, so what it sent since a height decides where it goes on. */
export const BEGINNING: Json = { sequence: null }

export const isBeginning = (position: Json): boolean => Object(position).sequence === null

/** @throws Error for the position of another lane: a programming error, not one of the chain */
export const readPosition = (position: Json): SequencePosition => {
  const { sequence, slots = {} }: { sequence?: unknown; slots?: object } = Object(position)
  return {
    sequence: numberOf(sequence),
    slots: new Map(Object.entries(slots).map(([at, until]) => [numberOf(at), numberOf(until)])),
  }
}

const numberOf = (value: unknown): bigint => {
  const text = typeof value === 'number' ? value.toString() : value
  if (typeof text === 'string' && /^\d{1,30}$/.test(text)) return BigInt(text)
  throw new Error('The stored position of this lane cannot be read.')
}

/**
 * Numbers for the next payments on a chain that takes them strictly in order, lowest first: what was assigned and expired unused comes
 * before what is new, since nothing after it can land. `next` is the number the account takes next, `final` the newest final point of
 * what payments expire by. A number that is assigned again while its payment lives all the same pays nobody twice: the chain takes one
 * of both.
 */
export function* freeSequences({ slots }: SequencePosition, next: bigint, final: bigint): Generator<bigint, never> {
  for (let sequence = next; ; sequence += 1n) {
    const until = slots.get(sequence)
    if (until === undefined || until < final) yield sequence
  }
}

/** The position after payments got their slots; slots that surely expired are forgotten. */
export const positionAfter = (
  { sequence, slots }: SequencePosition,
  assigned: readonly SequenceSlot[],
  final: bigint,
): SequencePosition => {
  const open = [...slots].filter(([, until]) => until >= final)
  const next = assigned.reduce((most, slot) => (slot.sequence >= most ? slot.sequence + 1n : most), sequence)
  return { sequence: next, slots: new Map([...open, ...assigned.map((slot) => [slot.sequence, slot.until] as const)]) }
}
