import type { DatabasePool } from '@causeway/core/plugin'

/** A delivery this process may send: the first of its stream, which nobody else touches meanwhile. */
export interface ClaimedDelivery {
  /** Id of the life it was claimed in. */
  readonly sender: string
  readonly id: bigint
  readonly endpointId: bigint
  readonly apiKeyId: string
  readonly sealedId: string
  readonly endpointVersion: number
  /** Without `0x`. */
  readonly request: string
  readonly eventId: string
  readonly body: string
  /** So far. */
  readonly attempts: number
  /** Unix milliseconds. */
  readonly queuedAt: number
}

export interface ClaimInput {
  readonly sender: string
  /** Unix milliseconds. */
  readonly now: number
  readonly most: number
  readonly perEndpoint: number
  /** For endpoints that differ. */
  readonly limits: readonly { readonly endpointId: bigint; readonly slots: number }[]
}

interface Row extends Stream {
  readonly id: bigint
  readonly api_key_id: string
  readonly sealed_id: string
  readonly version: number
  readonly event_id: string
  readonly body: string
  readonly attempts: number
  readonly queued_ms: string
}

/**
 * Steps from endpoint to endpoint, so that a long queue of one costs nothing, and takes from each in turn what is due. What
 * another process is about to take is passed over.
 */
const CLAIM = {
  name: 'webhooks_claim',
  text: `with recursive quick as (
      -- A claim that a crash of the server loses was nobody's.
      select set_config('synchronous_commit', 'off', true) as set
    ), queued as (
      select (select min(endpoint_id) from webhook_streams where claimed_by is null) as id
      union all
      select (select min(s.endpoint_id) from webhook_streams s where s.claimed_by is null and s.endpoint_id > q.id)
      from queued q where q.id is not null
    ), open as (
      select e.id, coalesce(l.slots, $4) as slots from queued q join webhook_endpoints e on e.id = q.id and e.enabled
      left join unnest($5::bigint[], $6::int[]) as l (id, slots) on l.id = e.id
      where coalesce(l.slots, $4) > 0
    ), due as (
      select s.place, row_number() over (partition by s.endpoint_id order by s.next_at) as turn
      from open o cross join lateral (
        select d.ctid as place, d.endpoint_id, d.next_at from webhook_streams d
        where d.endpoint_id = o.id and d.claimed_by is null and d.next_at <= to_timestamp($2 / 1000.0)
        order by d.next_at limit o.slots for update skip locked) s
    )
    update webhook_streams s set claimed_by = $1
    -- By their places, which are locked: whatever is thought of the number of rows, no plan reads the whole table.
    where s.ctid = any (array(select place from due order by turn limit $3)) and (select set from quick) is not null
    returning s.endpoint_id, encode(s.request_id, 'hex') as request`,
}

/** A statement after the claim: while it was made another process may have taken the first delivery out. */
const READ = {
  name: 'webhooks_claimed',
  text: `select q.id, e.id as endpoint_id, e.api_key_id, e.sealed_id, e.version, c.request, q.event_id, q.body, q.attempts,
      (extract(epoch from q.queued_at) * 1000)::bigint::text as queued_ms
    from unnest($1::bigint[], $2::text[]) as c (endpoint_id, request)
    join webhook_endpoints e on e.id = c.endpoint_id
    cross join lateral (
      select * from webhook_queue w where w.endpoint_id = c.endpoint_id and w.request_id = decode(c.request, 'hex')
      order by w.id limit 1) q`,
}

interface Stream {
  readonly endpoint_id: bigint
  readonly request: string
}

/** Gives back streams of endpoints that were just removed. */
const release = async (pool: DatabasePool, sender: string, claimed: readonly Stream[], read: readonly Stream[]) => {
  const found = new Set(read.map((row) => `${row.endpoint_id} ${row.request}`))
  const left = claimed.filter((row) => !found.has(`${row.endpoint_id} ${row.request}`))
  await pool.query(
    `update webhook_streams s set claimed_by = null, next_at = s.next_at + interval '1 minute'
     from unnest($2::bigint[], $3::text[]) as t (endpoint_id, request)
     where s.endpoint_id = t.endpoint_id and s.request_id = decode(t.request, 'hex') and s.claimed_by = $1`,
    [sender, left.map((row) => row.endpoint_id), left.map(({ request }) => request)],
  )
}

/** Claims deliveries that are due, at most one of a request, fairly among endpoints. */
export const claimDeliveries = async (pool: DatabasePool, input: ClaimInput): Promise<readonly ClaimedDelivery[]> => {
  const { sender, now, most, perEndpoint, limits } = input
  const claimed = await pool.query<Stream>({
    ...CLAIM,
    values: [
      sender,
      now,
      most,
      perEndpoint,
      limits.map(({ endpointId }) => endpointId),
      limits.map(({ slots }) => slots),
    ],
  })
  if (claimed.rows.length === 0) return []
  const { rows } = await pool.query<Row>({
    ...READ,
    values: [claimed.rows.map((row) => row.endpoint_id), claimed.rows.map(({ request }) => request)],
  })
  if (rows.length < claimed.rows.length) await release(pool, sender, claimed.rows, rows)
  return rows.map((row) => ({
    sender,
    id: row.id,
    endpointId: row.endpoint_id,
    apiKeyId: row.api_key_id,
    sealedId: row.sealed_id,
    endpointVersion: row.version,
    request: row.request,
    eventId: row.event_id,
    body: row.body,
    attempts: row.attempts,
    queuedAt: Number(row.queued_ms),
  }))
}
