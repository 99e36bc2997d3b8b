import { larger } from '../../../money/compare.js'
import { type ProviderReading, readAtProviders } from '../../lane/readAtProviders.js'
import type { AskedProviders } from '../../quorum/askProviders.js'
import { isUsedUp, nextOf, settledOf } from '../numbers/accountNumbers.js'
import { type AccountPosition, NOTHING_KNOWN, type SettledNumbers } from '../numbers/sequencePosition.js'
import type { AccountReading, LaneSince, SentTransaction, SequenceChain } from '../sequenceChain.js'

export interface ReadingDeps<Node> {
  readonly chain: Pick<SequenceChain<Node>, 'read' | 'list' | 'others'>
  readonly pool: AskedProviders<Node>
  readonly strict: boolean
  /** Blocks before the journal's last one in which its transactions may still have landed: as many as may be replaced. */
  readonly settle: bigint
  /** The longest that a payment was ever given to land, in the unit of `until`. */
  readonly longestLifetime: bigint
}

/** From where on an account is read, and what its journal holds of that. */
export interface ReadFrom {
  readonly since: LaneSince | null
  /** Taken in place of a `since` that is a number where numbers are held aside: those may be far older than what used them. */
  readonly height?: bigint
  readonly position: AccountPosition | null
  /** The lowest number that has to be explained; absent: that of the position, or the lowest that is listed. */
  readonly first?: bigint
  isKnown(transaction: SentTransaction): boolean
}

/** What one provider shows of an account. */
interface Reading extends ProviderReading<SentTransaction> {
  /** Null where numbers bind nothing. */
  readonly account: AccountReading | null
}

/** What all providers show of an account. */
export interface AccountFound {
  readonly account: string
  readonly place: AccountPosition
  readonly unknown: readonly SentTransaction[]
  readonly complete: boolean
  readonly gap?: string
}

/**
 * Reads what an account sent; null: it does not exist.
 * @throws ServiceError SERVICE_UNAVAILABLE when too few providers answer
 */
export const readAccount = async <Node>(
  account: string,
  from: ReadFrom,
  deps: ReadingDeps<Node>,
): Promise<AccountFound | null> => {
  const { readings, found, ...rest } = await readAtProviders(
    deps.pool,
    (node) => readAt(node, account, from, deps),
    // A transaction may carry several payments.
    ({ tx, to, memo, place = 0, block }: SentTransaction) => ({
      id: JSON.stringify([tx.id, to, memo, place]),
      included: block !== null,
    }),
  )
  const shown = readings.flatMap((reading) => reading.account ?? [])
  if (deps.strict && shown.every((reading) => nextOf(reading) === null)) return null
  const listed = [...found].sort((left, right) => (left.sequence < right.sequence ? -1 : 1))
  // Without a journal the lowest number that is listed is the first one since its height.
  const first = from.first ?? from.position?.sequence ?? listed[0]?.sequence
  const missing = deps.strict && from.since !== null && first !== undefined ? firstMissing(first, shown, listed) : null
  const { height, ...numbered } = from
  const isNumbered = height === undefined && hasNumber(from.since, missing ?? 0n)
  if (missing !== null && first !== undefined && !isNumbered) {
    return readAccount(account, { ...numbered, first, since: { sequence: first } }, deps)
  }
  const unknown = listed.filter((transaction) => !from.isKnown(transaction))
  const known = from.position ?? NOTHING_KNOWN
  // A journal that begins now: older payments used numbers too.
  const isNew = !deps.strict && from.since !== null && known.sequence === 0n
  const older = isNew ? await readAccount(account, { since: null, position: null, isKnown: () => true }, deps) : null
  const sequence = [
    ...shown.map((reading) => nextOf(reading)?.newest ?? 0n),
    ...listed.map((transaction) => transaction.sequence + 1n),
  ].reduce(larger, older?.place.sequence ?? known.sequence)
  const slots = deps.strict ? [...known.slots, ...unknown.map((item) => [item.sequence, item.until] as const)] : []
  return {
    account,
    place: { sequence, slots: new Map(slots), settled: deps.strict ? settledIn(shown) : null },
    unknown,
    ...rest,
    ...(missing === null ? {} : { complete: false, gap: `nothing is listed that used number ${missing}` }),
  }
}

const hasNumber = (since: LaneSince | null, number: bigint): boolean =>
  since !== null && 'sequence' in since && since.sequence <= number

/** The first number beyond the journal that the account has used and no transaction explains: something paid by it (faults.md F121). */
const firstMissing = (
  from: bigint,
  readings: readonly AccountReading[],
  listed: readonly SentTransaction[],
): bigint | null => {
  const numbers = new Set(listed.map(({ sequence }) => sequence))
  const next = readings.map((reading) => nextOf(reading)?.newest ?? 0n).reduce(larger, 0n)
  for (let number = from; number < next; number += 1n) {
    if (!numbers.has(number) && readings.some((reading) => isUsedUp(reading, number, 'newest') === true)) return number
  }
  return null
}

/** The earliest of the final states shown: of each all that came before it was read. */
const settledIn = (readings: readonly AccountReading[]): SettledNumbers | null => {
  const [first, ...rest] = readings.flatMap((reading) => settledOf(reading) ?? [])
  if (first === undefined) return null
  return rest.reduce((least, state) => (isBefore(state, least) ? state : least), first)
}

const isBefore = (left: SettledNumbers, right: SettledNumbers): boolean =>
  left.next < right.next || (left.next === right.next && left.aside > right.aside)

const readAt = async <Node>(node: Node, account: string, from: ReadFrom, deps: ReadingDeps<Node>): Promise<Reading> => {
  const { chain, strict } = deps
  const reading = strict ? await chain.read(node, { account, attempts: [] }) : null
  // The first use of a lane in strict order goes on where the account does; one that does not exist sent nothing.
  if (reading !== null && (from.since === null || nextOf(reading) === null))
    return { account: reading, found: [], complete: true }
  const listed =
    reading === null
      ? chain.list(node, account, from.since, from.position?.sequence)
      : chain.list(node, account, sinceIn(reading, from))
  const { transactions, gap } = await listed
  return {
    account: reading,
    found: transactions,
    complete: gap === undefined,
    ...(gap === undefined ? {} : { gap }),
  }
}

/** An account that stands where its journal saw it last sent nothing since that is final: older blocks need not be there. */
const sinceIn = (reading: AccountReading, { since, height, position }: ReadFrom): LaneSince | null => {
  const settled = position?.settled ?? null
  const now = settledOf(reading)
  if (settled !== null && now?.next === settled.next && now.aside === settled.aside)
    return { height: reading.moment.final ?? reading.moment.height }
  return reading.aside !== undefined && height !== undefined ? { height } : since
}
