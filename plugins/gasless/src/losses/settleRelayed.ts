import { larger } from '@causeway/core'
import type { DatabaseClient, Usd } from '@causeway/core/plugin'

/** The row of all callers; no caller or owner has this name. */
export const ALL = ''

/** A counted transaction that is in a block, or can be in none. */
interface EndedRow {
  readonly request_id: Buffer
  readonly caller: string
  readonly owner: string | null
  readonly usd: string
  readonly lost: string
  readonly sponsored: string
  readonly fee: string | null
  /** Network fee that its attempts took, native smallest unit. */
  readonly taken: string
  readonly deposited: boolean
}

/** Those of some callers and owners; null: of all. One whose deposit is not read yet stays open. */
const ENDED = `select e.request_id, e.api_key_id as caller, e.owner, e.usd::text, e.lost::text, e.sponsored::text, e.fee::text,
      (select coalesce(sum(a.fee), 0) from payout_attempts a where a.payout_id = p.id and not a.carried)::text as taken, d.deposited
    from gasless_expected e
      join payouts p on p.request_id = e.request_id and p.purpose = 'origin' and p.state not in ('ready', 'signed')
      join requests r on r.id = e.request_id
      cross join lateral (select r.status = 'success'
        or exists (select from orders o where o.request_id = r.id and o.consumed_by is not null) as deposited) d
    where ($1::text[] is null or e.api_key_id = any($1) or e.owner = any($1)) and not e.ended
      and (d.deposited or p.state = 'dead' or e.usd = 0)`

/**
 * Replaces expected costs by real ones, in the caller's transaction. A charged part that its deposit paid counts for its caller and owner. One
 * without a deposit stays unpaid for a day. A transaction that took more than was expected adds the rest to the losses of today, above
 * any cap.
 */
export const settleRelayed = async (
  client: DatabaseClient,
  holders: readonly string[] | null,
  now: number,
): Promise<void> => {
  const { rows } = await client.query<EndedRow>({ name: 'relay_ended', text: ENDED, values: [holders] })
  for (const row of rows) await settle(client, row, now)
}

const settle = async (client: DatabaseClient, row: EndedRow, now: number): Promise<void> => {
  const [usd, lost, sponsored] = [BigInt(row.usd), BigInt(row.lost), BigInt(row.sponsored)]
  const real = realOf(row, usd + lost + sponsored)
  const own = larger(real - lost - sponsored, 0n)
  if (!row.deposited && usd > 0n) return end(client, row.request_id, own)
  await client.query({
    name: 'relay_settled',
    text: 'delete from gasless_expected where request_id = $1',
    values: [row.request_id],
  })
  const beyond = larger(own - usd, 0n)
  if (usd === 0n && beyond === 0n) return
  for (const holder of [row.caller, ...(row.owner === null ? [] : [row.owner]), ALL])
    await addLosses(client, { holder, usd: beyond, paid: usd }, now)
}

/** What a transaction cost, at the prices of its acceptance. */
const realOf = ({ fee, taken }: EndedRow, expected: Usd): Usd => {
  const [of, all] = [BigInt(fee ?? 0), BigInt(taken)]
  return of === 0n ? expected : (expected * all + of - 1n) / of
}

/** No deposit follows: the gas that it took is unpaid. */
const end = async (client: DatabaseClient, requestId: Buffer, usd: Usd): Promise<void> => {
  await client.query({
    name: 'relay_failed',
    text: 'update gasless_expected set usd = $2, ended = true where request_id = $1',
    values: [requestId, usd.toString()],
  })
}

interface Addition {
  readonly holder: string
  readonly usd: Usd
  /** Paid by a deposit; default 0. */
  readonly paid?: Usd
  /** Most that the losses of the day may be; default: any. */
  readonly cap?: Usd
}

/** Adds to the day of a caller, of an owner, or of all. False, and nothing is added, above the cap. */
export const addLosses = async (
  client: DatabaseClient,
  { holder, usd, paid = 0n, cap }: Addition,
  now: number,
): Promise<boolean> => {
  const { rows } = await client.query<{ fresh: boolean }>({
    name: 'relay_losses_added',
    text: `insert into gasless_losses as l (day, api_key_id, usd, paid)
      select (to_timestamp($1 / 1000.0) at time zone 'utc')::date, $2, $3::numeric, $4::numeric where $5::numeric is null or $3::numeric <= $5::numeric
      on conflict (day, api_key_id) do update set usd = l.usd + excluded.usd, paid = l.paid + excluded.paid
        where $5::numeric is null or l.usd + excluded.usd <= $5::numeric
      returning xmax = 0 as fresh`,
    values: [now, holder, usd.toString(), paid.toString(), cap?.toString() ?? null],
  })
  const [row] = rows
  if (holder === ALL && row?.fresh === true) await forgetOld(client, now)
  return row !== undefined
}

const KEEP_DAYS = 31

/** Once a day. */
const forgetOld = async (client: DatabaseClient, now: number): Promise<void> => {
  await client.query(
    `delete from gasless_losses where day < (to_timestamp($1 / 1000.0) at time zone 'utc')::date - ${KEEP_DAYS}`,
    [now],
  )
  await client.query(
    `delete from gasless_expected where created_at < to_timestamp($1 / 1000.0) - interval '${KEEP_DAYS} days'`,
    [now],
  )
}
