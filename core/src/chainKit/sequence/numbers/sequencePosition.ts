import type { Json } from '../../../chain/json.js'
import type { SequenceSlot } from './sequenceGuard.js'

/** An account as it was in a final state: all that it had sent until then is known. */
export interface SettledNumbers {
  /** The number that it took next. */
  readonly next: bigint
  /** How many numbers it held aside: while `next` stays they can only get fewer. */
  readonly aside: number
}

/**
 * Where an account goes on. All parts are facts that stay true when the position comes back after what it counted has died: no number
 * below `sequence` is new, and what was assigned until when.
 */
export interface AccountPosition {
  /** The lowest number that was never assigned to a payment. */
  readonly sequence: bigint
  /** Where the chain takes numbers strictly in order: until when each number assigned may land, those left out that surely expired. */
  readonly slots: ReadonlyMap<bigint, bigint>
  /** When the account was last read; null: not known. */
  readonly settled: SettledNumbers | null
}

/** Where a lane goes on: its own account, and the others whose numbers it takes, by their names. */
export interface SequencePosition extends AccountPosition {
  readonly others: ReadonlyMap<string, AccountPosition>
}

/** Up to this `sequence` is written as a JSON number, which versions before the kit read too. */
const MAX_EXACT = BigInt(Number.MAX_SAFE_INTEGER)

/** As `LaneAdapter.prepare` returns it: `{ sequence, slots, settled, others }`, the rest in decimal text and left out where it is empty. */
export const positionJson = ({ others, ...own }: SequencePosition): Json => ({
  ...accountJson(own),
  ...(others.size === 0
    ? {}
    : { others: Object.fromEntries([...others].map(([account, place]) => [account, accountJson(place)])) }),
})

const accountJson = ({ sequence, slots, settled }: AccountPosition): { readonly [name: string]: Json } => ({
  sequence: sequence <= MAX_EXACT ? Number(sequence) : sequence.toString(),
  ...(slots.size === 0 ? {} : { slots: Object.fromEntries([...slots].map(([at, until]) => [`${at}`, `${until}`])) }),
  ...(settled === null ? {} : { settled: { next: settled.next.toString(), aside: settled.aside } }),
})

/** The position of an account whose journal is lost: no number is known, so what it sent since a height decides where it goes on. */
export const BEGINNING: Json = { sequence: null }

/** An account of which no number is known. */
export const NOTHING_KNOWN: AccountPosition = { sequence: 0n, slots: new Map(), settled: null }

/** What a stored position holds of its lane's own account (`other` null), or of another one; null: nothing. */
export const placeIn = (position: Json, other: string | null): AccountPosition | null => {
  if (other !== null) return othersIn(position).get(other) ?? null
  return Object(position).sequence === null ? null : readAccount(position)
}

/** @throws Error for the position of another lane: a programming error, not one of the chain */
export const readPosition = (position: Json): SequencePosition => ({
  ...readAccount(position),
  others: othersIn(position),
})

/** What a stored position holds of other accounts. */
export const othersIn = (position: Json): ReadonlyMap<string, AccountPosition> =>
  new Map(
    Object.entries<Json>(Object(position).others ?? {}).map(
      ([account, place]) => [account, readAccount(place)] as const,
    ),
  )

const readAccount = (place: Json): AccountPosition => {
  const { sequence, slots = {}, settled }: { sequence?: unknown; slots?: object; settled?: unknown } = Object(place)
  return {
    sequence: numberOf(sequence),
    slots: new Map(Object.entries(slots).map(([at, until]) => [numberOf(at), numberOf(until)])),
    settled: settled === undefined ? null : readSettled(Object(settled)),
  }
}

const readSettled = ({ next, aside }: { readonly next?: unknown; readonly aside?: unknown }): SettledNumbers => ({
  next: numberOf(next),
  aside: Number(numberOf(aside)),
})

const numberOf = (value: unknown): bigint => {
  const text = typeof value === 'number' ? value.toString() : value
  if (typeof text === 'string' && /^\d{1,30}$/.test(text)) return BigInt(text)
  throw new Error('The stored position of this lane cannot be read.')
}

/** The position after payments got their slots; slots that surely expired are forgotten. */
export const positionAfter = (
  { sequence, slots, settled }: AccountPosition,
  assigned: readonly SequenceSlot[],
  final: bigint,
): AccountPosition => {
  const open = [...slots].filter(([, until]) => until >= final)
  const next = assigned.reduce((most, slot) => (slot.sequence >= most ? slot.sequence + 1n : most), sequence)
  return {
    sequence: next,
    slots: new Map([...open, ...assigned.map((slot) => [slot.sequence, slot.until] as const)]),
    settled,
  }
}
