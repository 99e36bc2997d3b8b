import type { Pool } from 'pg'
import { HELD_SQL } from '../address/addressBooks.js'
import type { ChainRegistry } from '../chain/chainRegistry.js'
import type { Clock } from '../clock/clock.js'
import { formatAmount } from '../money/amount.js'
import type { CurrencyRegistry } from '../money/currency/currency.js'
import { NOT_WORTH_ITS_SWEEP } from '../payout/sweep/lookSchedule.js'
import { labelOf, usualWait } from './databaseGauges.js'
import type { MetricDefinition, MetricSource, Sample } from './metrics.js'

export interface AddressGaugesDeps {
  readonly pool: Pool
  readonly clock: Clock
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
  /** Milliseconds that only grow. */
  now(): number
}

/** Addresses are many and change slowly: they are counted no oftener. */
const KEEP_MS = 15_000
/** Why something lies at an address: `sweep`: it is about to be swept, `dust`: it is not worth it, `trouble`: it cannot be. */
const REASONS = ['sweep', 'dust', 'trouble'] as const

interface GaugeRow {
  readonly gauge: string
  readonly chain: string
  readonly label: string | null
  readonly value: string
}

/** Rows (gauge, chain, label, value). `$1` is business time in Unix milliseconds, `$2` the trouble of dust. */
const GAUGES = {
  name: 'metrics_addresses',
  text: `with now as (select to_timestamp($1 / 1000.0) as at),
    held as (
      select b.address_id, b.chain_id, b.currency, ${HELD_SQL} as amount, p.trouble
      from deposit_address_books b left join deposit_address_places p using (address_id, chain_id) where b.arrived > b.swept + b.gone
    )
    select 'live' as gauge, chain_id::text as chain, null as label, count(*)::text as value from deposit_addresses, now
      where live_until > now.at group by chain_id
    union all
    select 'unswept', chain_id::text, currency, sum(amount)::text from held group by chain_id, currency
    union all
    select 'waiting', chain_id::text, case when trouble is null then 'sweep' when trouble = $2 then 'dust' else 'trouble' end,
        count(distinct address_id)::text from held group by 1, 2, 3
    union all
    select 'oldest', h.chain_id::text, null, greatest(0, extract(epoch from max(now.at - coalesce(v.block_time, v.created_at))))::text
      from held h join deposit_arrivals v using (address_id, chain_id, currency), now
      where v.taken_by is null and v.state = 'included' and h.trouble is distinct from $2 group by h.chain_id
    union all
    select 'pool', chain_id::text, null, count(*)::text from deposit_address_pool where taken_at is null and history = server_history() group by chain_id`,
}

const definitions = (chain: readonly string[], currency: readonly string[]) => {
  const same = '; the same on every host: aggregate with max'
  const of = (name: string, help: string, more: MetricDefinition['labels'] = {}): MetricDefinition => ({
    name,
    help: help + same,
    labels: { chain, ...more },
  })
  return {
    live: of('causeway_deposit_addresses', 'Addresses to pay to for which blocks are searched'),
    unswept: of('causeway_deposit_address_unswept', 'What lies at addresses by the books, in whole units', {
      currency,
    }),
    waiting: of(
      'causeway_deposit_address_waiting',
      'Addresses at which something lies: about to be swept, not worth its sweep, or in trouble',
      { reason: REASONS },
    ),
    oldest: of(
      'causeway_deposit_address_oldest_unswept_seconds',
      'Age of the oldest payment to an address that is in no deposit yet, dust left out, less what blocks that come far apart may take',
    ),
    pool: of('causeway_deposit_address_pool', 'Addresses made ahead that are left to give'),
  } satisfies Record<string, MetricDefinition>
}

/** Gauges of addresses to pay to, read by one statement. Amounts are rounded to numbers here, for eyes only. */
export const addressGauges = ({ pool, clock, chains, currencies, now }: AddressGaugesDeps): MetricSource => {
  const slugs = new Map(chains.all().map(({ config }) => [String(config.id), config.slug]))
  const all = currencies.all()
  const defined = definitions([...slugs.values()], [...new Set(all.map((currency) => labelOf(currency, all)))])
  const byKey: Readonly<Record<string, MetricDefinition>> = defined
  let last: { readonly at: number; readonly samples: readonly Sample[] } | null = null

  const quiet = chains.all().flatMap(({ config, adapter }): Sample[] => {
    const labels = { chain: config.slug }
    const pooled = adapter.depositAddresses?.pool === undefined ? [] : [defined.pool]
    return [
      ...[defined.live, defined.oldest, ...pooled].map(({ name }) => ({ gauge: name, labels, value: 0 })),
      ...REASONS.map((reason) => ({ gauge: defined.waiting.name, labels: { ...labels, reason }, value: 0 })),
    ]
  })
  const nothing = all.map((currency) => ({
    gauge: defined.unswept.name,
    labels: { chain: slugs.get(String(currency.chainId)) ?? '', currency: labelOf(currency, all) },
    value: 0,
  }))

  const toSample = (row: GaugeRow): Sample[] => {
    const gauge = byKey[row.gauge]?.name
    if (gauge === undefined) return []
    const labels = { chain: slugs.get(row.chain) ?? '' }
    const value = Number(row.value)
    if (row.gauge === 'oldest') {
      return [{ gauge, labels, value: Math.max(0, value - usualWait(chains.find(Number(row.chain)), undefined)) }]
    }
    if (row.gauge === 'waiting') return [{ gauge, labels: { ...labels, reason: row.label ?? '' }, value }]
    if (row.gauge !== 'unswept') return [{ gauge, labels, value }]
    const currency = currencies.find(Number(row.chain), row.label ?? '')
    // What is no longer configured has no decimals to show it with.
    if (currency === undefined) return []
    const units = Number(formatAmount(BigInt(row.value), currency.decimals))
    return [{ gauge, labels: { ...labels, currency: labelOf(currency, all) }, value: units }]
  }

  return {
    name: 'addresses',
    gauges: Object.values(defined),
    read: async () => {
      if (last !== null && now() - last.at < KEEP_MS) return last.samples
      const { rows } = await pool.query<GaugeRow>({ ...GAUGES, values: [clock.now(), NOT_WORTH_ITS_SWEEP] })
      last = { at: now(), samples: [...quiet, ...nothing, ...rows.flatMap(toSample)] }
      return last.samples
    },
  }
}
