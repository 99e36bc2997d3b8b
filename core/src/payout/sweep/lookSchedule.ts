const SECOND = 1_000
const HOUR = 3_600 * SECOND
const DAY = 24 * HOUR

/** While something is expected that is not found yet: a node may be a block behind. */
const FIRST_RETRY = 250
const LAST_RETRY = 30 * SECOND
/** So often in vain, about a quarter of an hour, and it is not expected any more. */
const VAIN_LOOKS = 40

/** What the books have at an address and a look does not find is gone when nothing came or left for so long. */
export const GONE_AFTER = 15 * 60 * SECOND

/** Why what lies at an address stays there until more comes: `deposit_address_places.trouble`. */
export const NOT_WORTH_ITS_SWEEP = 'It is worth less than its sweep costs.'

/** Addresses of one holder that are looked at as often as if each were alone; with more of them each is looked at less often. */
const ALONE = 100

/**
 * When an address is looked at again, milliseconds from now: often while it is new, for a block does not show what contracts send within a
 * transaction; ever more rarely after its life, and never for the last time. `crowd`: how many addresses its holder was given within a
 * day, so that all of a holder's new addresses together cost as much as a hundred, and never more than a look a day is put off.
 */
export const nextLook = ({
  age,
  over,
  crowd,
}: {
  readonly age: number
  readonly over: number
  readonly crowd: number
}): number => {
  if (over > 0) return DAY + over / 4
  const usual = age < HOUR ? 30 * SECOND : age < DAY ? 10 * 60 * SECOND : 6 * HOUR
  return crowd <= ALONE ? usual : Math.min((usual * crowd) / ALONE, DAY)
}

/** When one is looked at again where something is expected and was not found `looks` times; null: it is expected no longer. */
export const retryLook = (looks: number): number | null =>
  looks >= VAIN_LOOKS ? null : Math.min(FIRST_RETRY * 2 ** Math.min(looks, 16), LAST_RETRY)
