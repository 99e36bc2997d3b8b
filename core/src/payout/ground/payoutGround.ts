/** Storing attempts for payouts that rest on nothing now: a deposit left its chain, or its chain is halted. Nothing was stored. */
export class GroundlessPayoutError extends Error {
  override readonly name = 'GroundlessPayoutError'
  constructor(readonly payoutIds: readonly string[]) {
    super(
      `What payout ${payoutIds.join(', ')} rests on does not hold: its deposit left the chain, or the chain is halted.`,
    )
  }
}

/** The condition that money may leave because of the deposit `deposit`: it is on its chain, which is not halted. */
export const isFirm = (deposit: string): string =>
  `${deposit}.state = 'included' and not exists (select from chain_halts h where h.chain_id = ${deposit}.chain_id)`

/** The condition that a payout without a deposit may leave: it is no fill, or that of a fast fill whose collateral is set aside. */
const isCovered = (payout: string): string =>
  `(${payout}.purpose <> 'fill' or exists (select from fast_fills f where f.payout_id = ${payout}.id and f.state = 'filling'))`

/** The condition that the payout `payout` may leave, because of `deposit`, or of what else it rests on. */
export const hasGround = (payout: string, deposit: string): string =>
  `case when ${payout}.deposit_id is null then ${isCovered(payout)} else ${isFirm(deposit)} end`

/**
 * What attempts `a (payout_id, kind)` rest on: deposits that are on their chain (faults.md F125), or the collateral of a fast fill. Their
 * rows are share-locked, in order, before anything of a payout is written, and stay so until the commit: a watcher that finds a deposit
 * gone comes before or after it, never between. A claim rests on its signed row. A cancel needs no ground: it keeps money from leaving;
 * nor does what the operator ordered, which has no deposit. `ground.firm` says whether all have it.
 */
export const GROUNDS = `grounds as (
      select p.id, ${isFirm('d')} as firm from a join payouts p on p.id = a.payout_id join deposits d on d.id = p.deposit_id
      order by d.id for share of d
    ), covers as (
      select f.payout_id as id from a join fast_fills f on f.payout_id = a.payout_id where f.state = 'filling'
      order by f.payout_id for share of f
    ), groundless as (
      select a.payout_id as id from a
      where a.kind = 'pay' and not exists (select from grounds g where g.id = a.payout_id and g.firm)
        and not exists (select from covers c where c.id = a.payout_id)
        and not exists (select from payouts o where o.id = a.payout_id and o.deposit_id is null and o.purpose <> 'fill'
          and (o.purpose <> 'claim' or exists (select from claims c where c.id = o.order_id and c.payout_id = o.id)))
    ), ground as (
      select count(*) = 0 as firm from groundless
    )`
