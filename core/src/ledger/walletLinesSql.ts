/**
 * Most payouts or attempts above a height that are looked at: far more than a few blocks hold. The order and the bound keep the
 * database from reading all that was ever paid, which it would otherwise take for cheaper.
 */
const LATER = 2_000

/** Payouts booked in blocks above the height of `h`, as `p`. */
const LATER_PAYOUTS = `heights h cross join lateral (
        select * from payouts where chain_id = h.chain_id and included_height > h.height
        order by chain_id, included_height limit ${LATER}) p`

/** Attempts in blocks above the height of `h`, as `a`. */
const LATER_ATTEMPTS = `heights h cross join lateral (
        select * from payout_attempts where chain_id = h.chain_id and block_height > h.height
        order by chain_id, block_height limit ${LATER}) a`

/** The condition of a payout, given by its alias, whose gas is of the key that sends for users (`acceptOrigin`). */
export const isSentForUsers = (payout: string): string =>
  `(${payout}.purpose = 'origin' and (${payout}.cause like 'execute:%' or ${payout}.data::jsonb #>> '{origin,from}' = 'sender'))`

/** Native currency that goes along with a fill; `p` is the payout. */
const TOPUP = `cross join lateral (select nullif(p.data, '')::jsonb -> 'topup' as topup) t`

/**
 * What stands between the books of wallets and balances that were read at a height: rows (chain_id, currency, line, amount). Expects
 * the CTE `heights` (chain_id, height, native); a height of null counts as the end of time. Costs what is under way, not what was paid.
 * Lines: `early-wallet`, booked in a block above the height, so not in the balance, fees out of other money than the wallet's left out; `flying-out`, `flying-in` and `flying-gas`, signed
 * and perhaps on the chain already: out of the wallet, out of the depository into it, and the most gas it may take.
 */
export const WALLET_LINES_SQL = `
    select p.chain_id, p.currency, 'early-wallet' as line, case when p.purpose = 'withdraw' then p.amount else -p.amount end as amount
      from ${LATER_PAYOUTS} where p.state in ('included', 'final') and p.purpose not in ('approve', 'sweep', 'origin')
    union all
    select p.chain_id, t.topup ->> 'currency', 'early-wallet', -(t.topup ->> 'amount')::numeric
      from ${LATER_PAYOUTS} ${TOPUP}
      where p.state in ('included', 'final') and t.topup is not null
    union all
    select a.chain_id, h.native, 'early-wallet', -a.fee
      from ${LATER_ATTEMPTS}
      where a.state in ('included', 'reverted') and a.fee_from is null
        and not exists (select from payouts s where s.id = a.payout_id and ${isSentForUsers('s')})
    union all
    select p.chain_id, p.currency, 'early-wallet', -a.currency_fee
      from ${LATER_ATTEMPTS}
        join payouts p on p.id = a.payout_id
      where a.currency_fee is not null and a.state in ('included', 'reverted')
    union all
    select p.chain_id, p.currency, case when p.purpose = 'withdraw' then 'flying-in' else 'flying-out' end, p.amount
      from heights h join payouts p on p.chain_id = h.chain_id where p.state = 'signed' and p.purpose not in ('approve', 'sweep', 'origin')
    union all
    select p.chain_id, t.topup ->> 'currency', 'flying-out', (t.topup ->> 'amount')::numeric
      from heights h join payouts p on p.chain_id = h.chain_id ${TOPUP} where p.state = 'signed' and t.topup is not null
    union all
    select p.chain_id, h.native, 'flying-gas', max(a.fee_cap)
      from heights h join payouts p on p.chain_id = h.chain_id
        join payout_generations g on g.payout_id = p.id and g.state = 'live'
        join payout_attempts a on a.payout_id = g.payout_id and a.generation = g.generation
      where p.state = 'signed' and not ${isSentForUsers('p')} group by p.id, p.chain_id, h.native`
