import type { AccountReading } from '../sequenceChain.js'
import { pointsOf } from './accountNumbers.js'
import type { SequenceSlot } from './sequenceGuard.js'
import { type AccountPosition, NOTHING_KNOWN, positionAfter, type SequencePosition } from './sequencePosition.js'
import { type SlotRules, slotsFor } from './sequenceSlots.js'

/** An account that payments take numbers of. */
export interface TakenNumbers {
  readonly place: AccountPosition
  readonly reading: AccountReading
  readonly slots: Iterator<SequenceSlot, undefined>
  /** Slots that were taken, in order. */
  readonly assigned: SequenceSlot[]
}

export interface TakingRules extends SlotRules {
  /** The lane's own account. */
  readonly own: string
  read(account: string): Promise<AccountReading>
}

/** How accounts stand, and the slots that each has, by account. */
export const takeNumbers = async (
  accounts: readonly string[],
  position: SequencePosition,
  rules: TakingRules,
): Promise<ReadonlyMap<string, TakenNumbers>> => {
  const taken = await Promise.all(
    [...new Set(accounts)].map(async (account): Promise<readonly [string, TakenNumbers]> => {
      const place = account === rules.own ? position : (position.others.get(account) ?? NOTHING_KNOWN)
      const reading = await rules.read(account)
      return [account, { place, reading, slots: slotsFor(place, reading, rules), assigned: [] }]
    }),
  )
  return new Map(taken)
}

/** The position once numbers were taken. */
export const positionTaken = (
  position: SequencePosition,
  taken: ReadonlyMap<string, TakenNumbers>,
  { own, order }: Pick<TakingRules, 'own' | 'order'>,
): SequencePosition => {
  const places = [...taken].map(([account, { place, reading, assigned }]) => {
    const after = positionAfter(place, assigned, pointsOf(reading.moment).final)
    return [account, order.kind === 'strict' ? after : { ...after, slots: new Map() }] as const
  })
  const { sequence, slots, settled } = new Map<string, AccountPosition>(places).get(own) ?? position
  const others = places.filter(([account]) => account !== own)
  return { sequence, slots, settled, others: new Map([...position.others, ...others]) }
}
