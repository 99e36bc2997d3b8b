import type { Pool, PoolClient } from 'pg'
import type { LaneReading, OutgoingTransaction } from '../../chain/laneAdapter.js'
import type { LaneKey } from './laneJournal.js'

/**
 * The event under which the first balance of a lane without a journal is booked as capital (architecture.md 6 Ledger), each lane of a
 * chain its own: money that is moved from one payout key to the next leaves the books with the order that moves it and comes back here.
 * Null: nothing is booked, as the books have that money. `forgotten` says that the database may lack the lane's journal (faults.md
 * F120); then, beside other lanes of its chain, a key that paid orders before was the payout key of the time that is lost, and so was
 * one where none of the others was found in order since: what it holds is what the books have of the key before it.
 */
export const openingEvent = async (
  client: PoolClient,
  { chainId, signer, kind }: LaneKey,
  { forgotten, reading }: { readonly forgotten: boolean; readonly reading: LaneReading },
): Promise<string | null> => {
  // Its gas is of no other key.
  if (kind === 'origin') return `opening:${signer}`
  const { rows } = await client.query<{ others: number; compared: number }>(
    `select count(*)::int as others, (count(*) filter (where history = server_history() and state <> 'quarantined'))::int as compared
     from lanes where chain_id = $1 and signer <> $2 and kind = 'payout'`,
    [chainId, signer],
  )
  const { others, compared } = rows[0] ?? { others: 0, compared: 0 }
  if (others === 0) return 'opening'
  if (forgotten && (compared === 0 || reading.unknown.some(({ orderId }) => orderId !== null))) return null
  return `opening:${signer}`
}

/**
 * Returns what a lane had before it sent what its journal lacks and what is booked later, once it is recognised or closed. That is what
 * pays an order, sweeps or sends for users: the gas of an approval by `causeway contracts deploy` is never booked. `balance` is what the
 * lane has now, all in the smallest unit.
 */
export const balanceBefore = (
  { currency, balance }: { readonly currency: string; readonly balance: bigint },
  unknown: readonly OutgoingTransaction[],
  { native, isOwn }: { readonly native: string; isOwn(address: string): boolean },
): bigint => {
  const booked = unknown.filter(
    ({ orderId, purpose }) => orderId !== null || purpose === 'sweep' || purpose === 'origin',
  )
  const fees = currency === native ? booked.reduce((sum, { fee }) => sum + (fee ?? 0n), 0n) : 0n
  return booked
    .filter(({ status, money, purpose }) => status === 'success' && money.currency === currency && !isOfOthers(purpose))
    .reduce((sum, { to, money: { amount } }) => (isOwn(to) ? sum - amount : sum + amount), balance + fees)
}

/** An approval moves nothing, a sweep what lay at an address, and what is sent for a user its own: they cost the lane their fee alone. */
const isOfOthers = (purpose: OutgoingTransaction['purpose']): boolean =>
  purpose === 'approve' || purpose === 'sweep' || purpose === 'origin'

/**
 * Other lanes of the chain, of the same kind, of which something sent is not final yet, or that are shut, once this one has been compared with its chain
 * itself.
 */
export const findFormerLanes = async (
  db: Pool,
  { chainId, signer, kind = 'payout' }: LaneKey,
): Promise<readonly LaneKey[]> => {
  const { rows } = await db.query<{ signer: string }>({
    name: 'lanes_former',
    text: `select l.signer from lanes l where l.chain_id = $1 and l.signer <> $2 and l.kind = $3
        and exists (select from lanes o where o.chain_id = $1 and o.signer = $2)
        and (l.state <> 'open'
          or exists (select from payouts p where p.chain_id = $1 and p.signer = l.signer and p.state in ('signed', 'included')))
      order by l.signer`,
    values: [chainId, signer, kind],
  })
  return rows.map((row) => ({ chainId, signer: row.signer }))
}
