import type { AccountReading } from '../sequenceChain.js'
import { pointsOf } from './accountNumbers.js'
import type { SequenceSlot } from './sequenceGuard.js'
import { type AccountPosition, NOTHING_KNOWN, positionAfter, type SequencePosition } from './sequencePosition.js'
import { freeSlots, type SlotRules, slotsFor } from './sequenceSlots.js'

/** An account that payments take numbers of. */
export interface TakenNumbers {
  readonly place: AccountPosition
  /** The newest final point of what payments expire by; null where numbers bind nothing. */
  readonly final: bigint | null
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
      const { order } = rules
      if (order.kind === 'free' && order.until !== undefined) {
        return [
          account,
          { place, final: null, slots: freeSlots(place, { ...order, until: order.until }), assigned: [] },
        ]
      }
      const reading = await rules.read(account)
      const final = order.kind === 'strict' ? pointsOf(reading.moment).final : null
      return [account, { place, final, slots: slotsFor(place, reading, rules), assigned: [] }]
    }),
  )
  return new Map(taken)
}

/** The position once numbers were taken. */
export const positionTaken = (
  position: SequencePosition,
  taken: ReadonlyMap<string, TakenNumbers>,
  { own }: Pick<TakingRules, 'own'>,
): SequencePosition => {
  const places = [...taken].map(([account, { place, final, assigned }]) => {
    const after = positionAfter(place, assigned, final ?? 0n)
    return [account, final === null ? { ...after, slots: new Map() } : after] as const
  })
  const { sequence, slots, settled } = new Map<string, AccountPosition>(places).get(own) ?? position
  const others = places.filter(([account]) => account !== own)
  return { sequence, slots, settled, others: new Map([...position.others, ...others]) }
}
