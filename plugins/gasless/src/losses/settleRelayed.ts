import type { DatabaseClient, Usd } from '@causeway/core/plugin'

/** The row of all callers for whom no operator vouches; no caller or owner has this name. */
export const ALL = ''

/**
 * Transactions of some callers and owners (null: of all) that are in a block, or can be in none; one whose deposit is not read yet stays open.
 * `own` is the real cost, at the prices of acceptance, without the parts that were counted as lost or sponsored.
 */
const ENDED = `select e.request_id, e.api_key_id, e.owner, e.trusted, e.usd, d.deposited, greatest(c.real - e.lost - e.sponsored, 0) as own
    from gasless_expected e
      join payouts p on p.request_id = e.request_id and p.purpose = 'origin' and p.state not in ('ready', 'signed')
      join requests r on r.id = e.request_id
      cross join lateral (select r.status = 'success'
        or exists (select from orders o where o.request_id = r.id and o.consumed_by is not null) as deposited) d
      cross join lateral (select coalesce(sum(a.fee), 0) as taken from payout_attempts a where a.payout_id = p.id and not a.carried) t
      cross join lateral (select e.usd + e.lost + e.sponsored as expected) x
      cross join lateral (select case when coalesce(e.fee, 0) = 0 then x.expected
        else div(x.expected * t.taken + e.fee - 1, e.fee) end as real) c
    where ($2::text[] is null or e.api_key_id = any($2) or e.owner = any($2)) and not e.ended
      and (d.deposited or p.state = 'dead' or e.usd = 0)`

/**
 * Replaces expected costs by real ones, in the caller's transaction. A charged part that its deposit paid counts for its caller and owner. One
 * without a deposit stays unpaid for a day: the gas that it took. A transaction that took more than was expected adds the rest to the losses
 * of today, above any cap.
 */
export const settleRelayed = async (
  client: DatabaseClient,
  holders: readonly string[] | null,
  now: number,
): Promise<void> => {
  const { rows } = await client.query<{ fresh: boolean }>({
    name: 'relay_settled',
    text: `with ended as (${ENDED}), unpaid as (
        update gasless_expected e set usd = d.own, ended = true from ended d
        where e.request_id = d.request_id and not d.deposited and d.usd > 0
      ), settled as (
        delete from gasless_expected e using ended d
        where e.request_id = d.request_id and (d.deposited or d.usd = 0)
      ), added as (
        select h.holder, sum(greatest(d.own - d.usd, 0)) as usd, sum(d.usd) as paid
        from ended d cross join lateral unnest(array_remove(array[d.api_key_id, d.owner, case when not d.trusted then $3 end], null)) h(holder)
        where (d.deposited or d.usd = 0) and (d.usd > 0 or d.own > 0) group by 1
      ), kept as (
        insert into gasless_losses as l (day, api_key_id, usd, paid) select ${dayOf('$1')}, holder, usd, paid from added order by holder
        on conflict (day, api_key_id) do update set usd = l.usd + excluded.usd, paid = l.paid + excluded.paid
        returning api_key_id, xmax = 0 as fresh
      ) select fresh from kept where api_key_id = $3`,
    values: [now, holders, ALL],
  })
  if (rows[0]?.fresh === true) await forgetOld(client, now)
}

interface Addition {
  readonly holder: string
  readonly usd: Usd
  /** Maximum losses of the day. */
  readonly cap: Usd
}

/** Adds to the losses of today of a caller, of an owner, or of all. Returns false, and adds nothing, above the cap. */
export const addLoss = async (
  client: DatabaseClient,
  { holder, usd, cap }: Addition,
  now: number,
): Promise<boolean> => {
  const { rows } = await client.query<{ fresh: boolean }>({
    name: 'relay_loss_added',
    text: `insert into gasless_losses as l (day, api_key_id, usd)
      select ${dayOf('$1')}, $2, $3::numeric where $3::numeric <= $4::numeric
      on conflict (day, api_key_id) do update set usd = l.usd + excluded.usd where l.usd + excluded.usd <= $4::numeric
      returning xmax = 0 as fresh`,
    values: [now, holder, usd.toString(), cap.toString()],
  })
  const [row] = rows
  if (holder === ALL && row?.fresh === true) await forgetOld(client, now)
  return row !== undefined
}

const dayOf = (millis: string): string => `(to_timestamp(${millis}::bigint / 1000.0) at time zone 'utc')::date`

const KEEP_DAYS = 31

/** Once a day. */
const forgetOld = async (client: DatabaseClient, now: number): Promise<void> => {
  await client.query(`delete from gasless_losses where day < ${dayOf('$1')} - ${KEEP_DAYS}`, [now])
  await client.query(
    `delete from gasless_expected where created_at < to_timestamp($1 / 1000.0) - interval '${KEEP_DAYS} days'`,
    [now],
  )
}
