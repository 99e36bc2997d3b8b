import type { Clock } from '@causeway/core'
import type { DatabasePool, KeyUseDay, KeyUses } from '@causeway/core/plugin'

const DAY_MS = 86_400_000

const READ = `select to_char(minute at time zone 'UTC', 'YYYY-MM-DD') as day, sum(count)::text as calls,
    coalesce(sum(count) filter (where status >= 400), 0)::text as refused
  from usage_counts where integrator_id = $1 and api_key_id = $2 and minute >= to_timestamp($3 / 1000.0)
  group by 1 order by 1`

/** Uses of keys by day, from what was counted. */
export class CountedKeyUses implements KeyUses {
  readonly #deps: { readonly pool: DatabasePool; readonly clock: Clock }

  constructor(deps: { readonly pool: DatabasePool; readonly clock: Clock }) {
    this.#deps = deps
  }

  async daysOf(
    { integratorId, apiKeyId }: { readonly integratorId: string; readonly apiKeyId: string },
    days: number,
  ): Promise<readonly KeyUseDay[]> {
    const now = this.#deps.clock.now()
    const first = now - (now % DAY_MS) - (days - 1) * DAY_MS
    const { rows } = await this.#deps.pool.query<{ day: string; calls: string; refused: string }>({
      name: 'usage_key_days',
      text: READ,
      values: [integratorId, apiKeyId, first],
    })
    return rows.map(({ day, calls, refused }) => ({ day, calls: Number(calls), refused: Number(refused) }))
  }
}
