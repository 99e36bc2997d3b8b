import type { AccountReading, LaneMoment } from '../sequenceChain.js'
import type { SettledNumbers } from './sequencePosition.js'

/** The newest point of what payments expire by, and the newest that is final. */
export const pointsOf = ({
  height,
  final = height,
  time,
}: LaneMoment): { readonly newest: bigint; readonly final: bigint } => time ?? { newest: height, final }

/**
 * Null: the account does not exist.
 * @throws Error where a chain that is said to have strict order does not tell its numbers
 */
export const nextOf = ({ next }: AccountReading): NonNullable<AccountReading['next']> | null => {
  if (next === undefined) throw new Error('A chain whose numbers are strictly in order must tell the next one.')
  return next
}

/** Numbers held aside in one of the two states, lowest first. */
export const asideOf = ({ aside }: AccountReading, state: 'newest' | 'final'): readonly bigint[] =>
  aside === undefined ? [] : [...aside[state]].sort((left, right) => (left < right ? -1 : 1))

/** Whether a number is used up in one of the two states, where numbers are strictly in order; null where the account does not exist. */
export const isUsedUp = (reading: AccountReading, sequence: bigint, state: 'newest' | 'final'): boolean | null => {
  const next = nextOf(reading)
  if (next === null) return null
  return sequence < next[state] && reading.aside?.[state].includes(sequence) !== true
}

/** The final state of an account, as a position remembers it. */
export const settledOf = (reading: AccountReading): SettledNumbers | null => {
  const next = nextOf(reading)
  return next === null ? null : { next: next.final, aside: reading.aside?.final.length ?? 0 }
}
