import type { Hex } from '@causeway/core'
import { type DatabaseClient, formatUsd, toBytea, type Usd } from '@causeway/core/plugin'
import { refuse } from './executeInput.js'

export interface LossCaps {
  /** Of one key and day. */
  readonly key: Usd
  /** Of all keys together. */
  readonly total: Usd
}

/** A call that nobody pays for, or whose route is to. */
export interface LossyCall {
  readonly apiKeyId: string
  readonly requestId: Hex
  /** What it is expected to cost. */
  readonly usd: Usd
  readonly caps: LossCaps
}

/** The row of all keys; no key has this id. */
const ALL = ''
const KEEP_DAYS = 31
const DAY_MS = 86_400_000

/**
 * What calls of a key (of all: `''`) cost in the last day that quotes charged their routes for, and whose deposit is not there. Those that
 * have it are removed.
 */
const EXPECTED = `with paid as (
      delete from gasless_expected e using requests r where r.id = e.request_id and (e.api_key_id = $2 or $2 = '')
        and (r.status = 'success' or exists (select from orders o where o.request_id = r.id and o.consumed_by is not null))
      returning e.request_id
    )
    select coalesce(sum(e.usd), 0) as usd from gasless_expected e
    where (e.api_key_id = $2 or $2 = '') and e.created_at > to_timestamp(($1::bigint - ${DAY_MS}) / 1000.0)
      and not exists (select from paid where paid.request_id = e.request_id)`

const TAKE = {
  name: 'gasless_loss_taken',
  text: `insert into gasless_losses as l (day, api_key_id, usd)
    select (to_timestamp($1 / 1000.0) at time zone 'utc')::date, $2, $3::numeric where $3::numeric + $5::numeric <= $4::numeric
    on conflict (day, api_key_id) do update set usd = l.usd + excluded.usd where l.usd + excluded.usd + $5::numeric <= $4::numeric
    returning xmax = 0 as fresh`,
}

/**
 * Counts what a call is expected to cost us, in the caller's transaction: who comes at the same time waits for it. Throws HttpError 400 at a cap,
 * and the transaction is to be given up.
 */
export const takeLoss = async (client: DatabaseClient, call: LossyCall, now: number): Promise<void> => {
  const { usd } = call
  if ((await take(client, call, usd, now)).fresh) await forgetOld(client, now)
}

/**
 * The same of a call that its route is to pay for: it counts until the deposit that pays for it is there. Whoever sends calls that deposit
 * nothing comes to the cap like any other.
 */
export const expectRoute = async (client: DatabaseClient, call: LossyCall, now: number): Promise<void> => {
  await client.query({
    name: 'gasless_route_expected',
    text: `insert into gasless_expected (request_id, api_key_id, usd, created_at) values ($1, $2, $3, to_timestamp($4 / 1000.0))
      on conflict do nothing`,
    values: [toBytea(call.requestId), call.apiKeyId, call.usd.toString(), now],
  })
  await take(client, call, 0n, now)
}

/** Adds to the losses of the key and of all, where both stay within their caps with what is expected besides. */
const take = async (
  client: DatabaseClient,
  { apiKeyId, caps }: LossyCall,
  usd: Usd,
  now: number,
): Promise<{ readonly fresh: boolean }> => {
  // One after the other: what others expect is seen once they have committed.
  await client.query({ name: 'gasless_loss_lock', text: `select pg_advisory_xact_lock(hashtext('gasless losses'))` })
  const takenBy = async (key: string, cap: Usd): Promise<boolean | null> => {
    const { rows: expected } = await client.query<{ usd: string }>({
      name: 'gasless_expected_sum',
      text: EXPECTED,
      values: [now, key],
    })
    const values = [now, key, usd.toString(), cap.toString(), expected[0]?.usd ?? '0']
    const { rows } = await client.query<{ fresh: boolean }>({ ...TAKE, values })
    return rows[0]?.fresh ?? null
  }
  if ((await takenBy(apiKeyId, caps.key)) === null)
    throw capReached(`of $${formatUsd(caps.key)} a day for calls of this key`)
  const fresh = await takenBy(ALL, caps.total)
  if (fresh === null) throw capReached('for calls of all keys today')
  return { fresh }
}

const capReached = (what: string) =>
  refuse(
    `Nobody pays for this call: its cost would pass the cap ${what}. Use subsidizeFees with a funded wallet, or a quote with originGasOverhead whose deposit the call makes.`,
  )

const forgetOld = async (client: DatabaseClient, now: number): Promise<void> => {
  await client.query(
    `delete from gasless_losses where day < (to_timestamp($1 / 1000.0) at time zone 'utc')::date - ${KEEP_DAYS}`,
    [now],
  )
  await client.query('delete from gasless_expected where created_at < to_timestamp($1 / 1000.0)', [
    now - KEEP_DAYS * DAY_MS,
  ])
}
