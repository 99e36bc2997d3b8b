import { larger, smaller } from '@causeway/core'
import { type DatabaseClient, formatUsd, toBytea, type Usd } from '@causeway/core/plugin'
import { capReached, type LossCaps, ownerOf, type Relayed } from './lossCaps.js'
import { ALL, addLoss, settleRelayed } from './settleRelayed.js'
import { findUnpaid, findUnpaidOfAll } from './unpaid.js'

/** How the expected cost of a transaction is borne, US dollars. */
interface Parts {
  readonly lost: Usd
  /** Its route was charged for it, and pays with its deposit. */
  readonly byRoute: Usd
  readonly bySponsor: Usd
}

const partsOf = ({ usd, borne }: Relayed): Parts => {
  const byRoute = borne !== null && 'byRoute' in borne ? smaller(borne.byRoute, usd) : 0n
  const bySponsor = borne !== null && 'bySponsor' in borne ? smaller(borne.bySponsor, usd) : 0n
  return { lost: usd - byRoute - bySponsor, byRoute, bySponsor }
}

/**
 * Counts a transaction that is to be sent for a user, in the caller's transaction (faults.md F145 to F148). The part that neither its route nor
 * a sponsor was charged for is a loss of today. The part of its route is unpaid until the deposit arrives. Each is held against caps of its
 * own. Throws HttpError 400 at a cap; the transaction must then roll back.
 */
export const countRelayed = async (
  client: DatabaseClient,
  relayed: Relayed,
  caps: LossCaps,
  now: number,
): Promise<void> => {
  // One after the other, so that each sees what others have counted.
  await client.query({ name: 'relay_lock', text: `select pg_advisory_xact_lock(hashtext('gasless losses'))` })
  const parts = partsOf(relayed)
  const holders = holdersOf(relayed)
  await settleRelayed(client, holders, now)
  const { isTrusted } = relayed
  if (parts.lost > 0n) await takeLoss(client, { holders, isTrusted, lost: parts.lost, caps }, now)
  if (parts.byRoute > 0n) await requireUnpaid(client, { holders, isTrusted, unpaid: parts.byRoute, caps }, now)
  await store(client, relayed, parts, now)
}

const holdersOf = (relayed: Relayed): readonly string[] => {
  const owner = ownerOf(relayed)
  return owner === null ? [relayed.caller] : [relayed.caller, owner]
}

interface Loss extends Pick<Relayed, 'isTrusted'> {
  readonly holders: readonly string[]
  readonly lost: Usd
  readonly caps: LossCaps
}

const ELSE = 'Use subsidizeFees with a funded wallet, or a quote that is charged for this gas.'

const takeLoss = async (
  client: DatabaseClient,
  { holders, isTrusted, lost, caps }: Loss,
  now: number,
): Promise<void> => {
  for (const holder of holders) {
    if (!(await addLoss(client, { holder, usd: lost, cap: caps.caller }, now)))
      throw capReached(
        `No quote or sponsor pays for all of this transaction, and the rest would pass the cap of $${formatUsd(caps.caller)} a day for one caller or account. ${ELSE}`,
      )
  }
  if (isTrusted) return
  if (!(await addLoss(client, { holder: ALL, usd: lost, cap: caps.total }, now)))
    throw capReached(
      `No quote or sponsor pays for all of this transaction, and the rest would pass the cap for all callers today. ${ELSE}`,
    )
}

interface Unpaid extends Pick<Relayed, 'isTrusted'> {
  readonly holders: readonly string[]
  readonly unpaid: Usd
  readonly caps: LossCaps
}

/**
 * A transaction alone always passes: its route was charged for it. Beside others of its caller or owner it must stay below the cap, or below
 * what their deposits paid for lately. The cap of all callers holds those alone that no operator vouches for and that have more open than they
 * paid, so that no caller uses up the room of another one that pays.
 */
const requireUnpaid = async (
  client: DatabaseClient,
  { holders, isTrusted, unpaid, caps }: Unpaid,
  now: number,
): Promise<void> => {
  const found = []
  for (const holder of holders) {
    const { open, paid } = await findUnpaid(client, holder, now)
    if (open > 0n && open + unpaid > larger(caps.unpaid, paid))
      throw capReached(
        `Earlier transactions of this caller or account have no deposit yet, and with this one they would pass the cap of $${formatUsd(caps.unpaid)}. Try again once their deposits have arrived, at the latest in a day.`,
      )
    found.push({ open, paid })
  }
  const [caller] = found
  if (caller === undefined || isTrusted || caller.open + unpaid <= caller.paid) return
  await settleRelayed(client, null, now)
  const all = await findUnpaidOfAll(client, now)
  if (all > 0n && all + unpaid > caps.totalUnpaid)
    throw capReached(
      'Too many transactions of new callers have no deposit yet. Try again later, or send the deposit from the wallet of the user.',
    )
}

const store = async (client: DatabaseClient, relayed: Relayed, parts: Parts, now: number): Promise<void> => {
  const { requestId, caller, fee } = relayed
  await client.query({
    name: 'relay_counted',
    text: `insert into gasless_expected (request_id, api_key_id, trusted, owner, usd, lost, sponsored, fee, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, to_timestamp($9 / 1000.0)) on conflict do nothing`,
    values: [
      toBytea(requestId),
      caller,
      relayed.isTrusted,
      ownerOf(relayed),
      ...[parts.byRoute, parts.lost, parts.bySponsor, fee].map(String),
      now,
    ],
  })
}
