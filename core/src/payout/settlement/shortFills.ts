import type { PoolClient } from 'pg'
import type { Hex } from '../../money/hex.js'
import { parseTerms } from '../../quote/quoteTerms.js'
import type { StatusChange } from '../../request/changeStatus.js'
import { toChainPayout } from '../chainPayout.js'
import { depositOf, type PayoutData, type StoredPayout } from '../payoutRecord.js'
import { arrivalOf } from './arrival.js'
import type { Sighting } from './sighting.js'

/** Fills as they are to be booked, and the requests that were promised more than what arrived. */
export interface CountedFills {
  readonly sightings: readonly Sighting[]
  readonly belowMinimum: ReadonlyMap<Hex, StatusChange>
}

/**
 * Counts fills of which only a part arrived, because the token took a fee that no simulation showed (faults.md F123). Nothing is paid
 * again: the recipient has that part. The price of what is missing becomes excess, which goes back once the fill is final, and a
 * request that got less than its promised minimum is `failure`.
 */
export const countShortFills = async (
  client: PoolClient,
  sightings: readonly Sighting[],
  now: number,
): Promise<CountedFills> => {
  const short = new Set(sightings.filter(isShortFill))
  if (short.size === 0) return { sightings, belowMinimum: new Map() }
  const counted = sightings.map((sighting) =>
    short.has(sighting) ? { ...sighting, payout: shortened(sighting.payout, sighting.state.paid ?? 0n) } : sighting,
  )
  const changed = counted.filter((_, at) => short.has(sightings[at] as Sighting))
  await saveShort(
    client,
    changed.map(({ payout }) => payout),
    now,
  )
  return { sightings: counted, belowMinimum: await findBelowMinimum(client, changed) }
}

/** The payout as it was before its short inclusion left the chain, in the caller's transaction. */
export const forgetShortFill = async (client: PoolClient, payout: StoredPayout, now: number): Promise<void> => {
  const { short, ...data } = payout.data
  if (short === undefined) return
  const restored = withExcess(data, -BigInt(short.excess))
  await client.query({ ...SAVE, values: [JSON.stringify([{ id: payout.id, data: JSON.stringify(restored) }]), now] })
}

const SAVE = {
  name: 'payouts_short',
  text: `update payouts p set data = s.data, updated_at = to_timestamp($2 / 1000.0)
    from jsonb_to_recordset($1::jsonb) as s(id bigint, data text) where p.id = s.id`,
}

const saveShort = async (client: PoolClient, payouts: readonly StoredPayout[], now: number): Promise<void> => {
  const rows = payouts.map(({ id, data }) => ({ id, data: JSON.stringify(data) }))
  await client.query({ ...SAVE, values: [JSON.stringify(rows), now] })
}

const isShortFill = ({ payout, state }: Sighting): boolean =>
  payout.purpose === 'fill' && arrivalOf(toChainPayout(payout), state) === 'part'

/** What the deposit paid for the missing part, rounded in its owner's favour, is excess from now on. */
const shortened = (payout: StoredPayout, arrived: bigint): StoredPayout => {
  const { data } = payout
  const due = toChainPayout(payout).swap?.minimumOut ?? payout.amount
  const price =
    data.fastFill === undefined ? depositOf(payout).amount - BigInt(data.excess ?? '0') : BigInt(data.fastFill.amount)
  const missing = (price * (due - arrived) + due - 1n) / due
  const short = { arrived: arrived.toString(), excess: missing.toString() }
  return { ...payout, data: { ...withExcess(data, missing), short } }
}

/** So much more is left over of the deposit: it goes back, or of a fast fill it was never lent. */
const withExcess = ({ excess = '0', ...data }: PayoutData, more: bigint): PayoutData => {
  const { fastFill } = data
  if (fastFill !== undefined)
    return { ...data, fastFill: { ...fastFill, amount: (BigInt(fastFill.amount) - more).toString() } }
  const left = BigInt(excess) + more
  return { ...data, ...(left > 0n ? { excess: left.toString() } : {}) }
}

const findBelowMinimum = async (client: PoolClient, short: readonly Sighting[]): Promise<Map<Hex, StatusChange>> => {
  const ids = short.flatMap(({ payout }) => (payout.requestId === null ? [] : [payout.requestId.slice(2)]))
  const { rows } = await client.query<{ id: Hex; terms: string }>({
    name: 'terms_of_short_fills',
    text: `select '0x' || encode(id, 'hex') as id, terms from requests where encode(id, 'hex') = any($1)`,
    values: [ids],
  })
  const minimums = new Map(rows.map(({ id, terms }) => [id, parseTerms(terms).minimumPayout]))
  return new Map(
    short.flatMap(({ payout, state }): [Hex, StatusChange][] => {
      const { requestId } = payout
      const arrived = state.paid ?? 0n
      // Less than the least that a swap may give is less than was promised, whatever went into it.
      const enough = payout.data.swap === undefined && arrived >= (minimums.get(requestId ?? '0x') ?? payout.amount)
      if (requestId === null || enough) return []
      const details = `Only ${arrived} arrived at the recipient: the currency itself took the rest. Its price is returned.`
      return [[requestId, { requestId, to: 'failure', failReason: 'TOO_LITTLE_RECEIVED', details }]]
    }),
  )
}
