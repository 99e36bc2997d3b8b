import type { Pool } from 'pg'

/** What is told of one minute of the last hour. */
export interface Minute {
  /** Its beginning. */
  readonly at: string
  /** Requests whose first deposit came in it. */
  readonly begun: number
  /** Requests that ended in it, as they ended. */
  readonly succeeded: number
  readonly refunded: number
  readonly failed: number
  /** Dollars of those begun, as text. */
  readonly usd: string
}

const MINUTE_MS = 60_000
const MINUTES = 60
/** A minute that ended so long ago does not change any more: whatever happened in it is committed, on all hosts. */
const SETTLED_MINUTES = 3

// What began since a time also changed since, so that one range of an index has both.
const FLOW = `with recent as materialized (
    select status, amount_usd, floor(extract(epoch from coalesce(begun_at, created_at)) / 60)::bigint as begun,
      floor(extract(epoch from updated_at) / 60)::bigint as ended
    from requests where updated_at >= to_timestamp($1::bigint * 60)
  )
  select minute::text as minute, sum(begun)::int as begun, sum(succeeded)::int as succeeded, sum(refunded)::int as refunded,
    sum(failed)::int as failed, round(sum(usd), 2)::text as usd
  from (
    select begun as minute, count(*) as begun, 0 as succeeded, 0 as refunded, 0 as failed, sum(amount_usd) as usd
    from recent where begun >= $1 group by 1
    union all
    select ended, 0, count(*) filter (where status = 'success'), count(*) filter (where status = 'refund'),
      count(*) filter (where status = 'failure'), 0
    from recent where status in ('success', 'refund', 'failure') group by 1
  ) flow group by minute`

interface FlowRow extends Omit<Minute, 'at'> {
  readonly minute: string
}

const NOTHING = { begun: 0, succeeded: 0, refunded: 0, failed: 0, usd: '0.00' }

/** The last hour by minute; those that are over are remembered, so that a host reads the newest few alone. */
export class Flow {
  readonly #pool: Pool
  #known: ReadonlyMap<number, Minute> = new Map()

  constructor(pool: Pool) {
    this.#pool = pool
  }

  async read(now: number): Promise<readonly Minute[]> {
    const last = Math.floor(now / MINUTE_MS)
    const first = last - MINUTES + 1
    const from = this.#firstUnknown(first, last)
    const { rows } = await this.#pool.query<FlowRow>(FLOW, [from])
    const found = new Map(rows.map(({ minute, ...counts }) => [Number(minute), counts]))
    const minutes = Array.from({ length: MINUTES }, (_, at): Minute => {
      const minute = first + at
      const known = minute < from ? this.#known.get(minute) : undefined
      const { begun, succeeded, refunded, failed, usd } = known ?? found.get(minute) ?? NOTHING
      return { at: new Date(minute * MINUTE_MS).toISOString(), begun, succeeded, refunded, failed, usd }
    })
    this.#known = new Map(minutes.slice(0, -SETTLED_MINUTES).map((minute, at) => [first + at, minute]))
    return minutes
  }

  /** From where on nothing is remembered; a clock that was set back makes a minute unknown again. */
  #firstUnknown(first: number, last: number): number {
    for (let minute = first; minute <= last - SETTLED_MINUTES; minute += 1) if (!this.#known.has(minute)) return minute
    return last - SETTLED_MINUTES + 1
  }
}
