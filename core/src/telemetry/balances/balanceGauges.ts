import type { Pool } from 'pg'
import type { BalanceCurrency } from '../../appBalance/balanceCurrency.js'
import type { ChainRegistry } from '../../chain/chainRegistry.js'
import type { Clock } from '../../clock/clock.js'
import { formatAmount } from '../../money/amount.js'
import type { CurrencyRegistry } from '../../money/currency/currency.js'
import { labelOf } from '../databaseGauges.js'
import type { MetricDefinition, MetricSource, Sample } from '../metrics.js'

export interface BalanceGaugesDeps {
  readonly pool: Pool
  readonly clock: Clock
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
  /** Null: none are kept, and nothing is shown while nothing is left of earlier ones. */
  readonly balanceCurrency: BalanceCurrency | null
  /** Milliseconds that only grow. */
  now(): number
}

/** Wallets may be many: their sums are read no oftener. */
const KEEP_MS = 15_000
const ACCOUNTS = ['app', 'earned', 'sponsored', 'collateral', 'claimed', 'exposure'] as const
const SAME = '; the same on every host: aggregate with max'

interface GaugeRow {
  readonly gauge: 'balance' | 'reserved' | 'reservations' | 'earnings' | 'oldest'
  readonly chain: string
  readonly currency: string | null
  readonly account: string | null
  readonly value: string
}

/** Rows (gauge, chain, currency, account, value). `$1` is business time in Unix milliseconds. */
const GAUGES = {
  name: 'metrics_balances',
  text: `with now as (select to_timestamp($1 / 1000.0) as at), live as (
      select chain_id, currency, amount from sponsor_reservations, now where until > now.at
    ), earnings as (
      select d.chain_id, coalesce(p.included_at, p.updated_at) as at from payouts p join deposits d on d.id = p.deposit_id
      where p.earning = 'open' and p.state = 'final'
    )
    select 'balance' as gauge, chain_id::text as chain, currency, account, sum(amount)::text as value from app_balances group by 2, 3, 4
    union all
    select 'reserved', chain_id::text, currency, null, sum(amount)::text from live group by 2, 3
    union all
    select 'reservations', chain_id::text, currency, null, count(*)::text from live group by 2, 3
    union all
    select 'earnings', chain_id::text, null, null, count(*)::text from earnings group by 2
    union all
    select 'oldest', chain_id::text, null, null, greatest(0, extract(epoch from max(now.at - earnings.at)))::text from earnings, now group by 2`,
}

const definitions = (chain: readonly string[], currency: readonly string[]) =>
  ({
    balance: {
      name: 'causeway_app_balance',
      help: `What wallets are owed by account, in whole units; exposure is what they owe${SAME}`,
      labels: { chain, currency, account: ACCOUNTS },
    },
    reserved: {
      name: 'causeway_sponsor_reserved',
      help: `What live quotes keep of balances for their sponsors' parts, in whole units${SAME}`,
      labels: { chain, currency },
    },
    reservations: {
      name: 'causeway_sponsor_reservations',
      help: `Live quotes that keep a part of a balance${SAME}`,
      labels: { chain, currency },
    },
    earnings: {
      name: 'causeway_earnings_waiting',
      help: `Final fills whose earnings wait for their deposits to settle, by the chain of the deposit${SAME}`,
      labels: { chain },
    },
    oldest: {
      name: 'causeway_earnings_oldest_seconds',
      help: `Since the oldest of those fills was in a block${SAME}`,
      labels: { chain },
    },
  }) satisfies Record<GaugeRow['gauge'], MetricDefinition>

/** Gauges of what is owed to wallets, read by one statement. Amounts are rounded to numbers here, for eyes only. */
export const balanceGauges = (deps: BalanceGaugesDeps): MetricSource => {
  const { pool, clock, chains, currencies, balanceCurrency, now } = deps
  const slugs = new Map(chains.all().map(({ config }) => [config.id, config.slug]))
  const all = currencies.all()
  const defined = definitions([...slugs.values()], [...new Set(all.map((currency) => labelOf(currency, all)))])
  let last: { readonly at: number; readonly samples: readonly Sample[] } | null = null

  const labelsOf = (chainId: number, address: string | null) => {
    const known = address === null ? undefined : currencies.find(chainId, address)
    const chain = slugs.get(chainId) ?? ''
    return known === undefined ? { chain } : { chain, currency: labelOf(known, all) }
  }

  /** What has no row has a series at 0. */
  const quiet = (): readonly Sample[] => {
    const ofChains = [...slugs.values()].flatMap((chain) =>
      [defined.earnings, defined.oldest].map(({ name }) => ({ gauge: name, labels: { chain }, value: 0 })),
    )
    if (balanceCurrency === null) return ofChains
    const labels = labelsOf(balanceCurrency.chainId, balanceCurrency.address)
    return [
      ...ofChains,
      ...[defined.reserved, defined.reservations].map(({ name }) => ({ gauge: name, labels, value: 0 })),
      ...ACCOUNTS.map((account) => ({ gauge: defined.balance.name, labels: { ...labels, account }, value: 0 })),
    ]
  }

  const toSample = ({ gauge, chain, currency, account, value }: GaugeRow): Sample[] => {
    const { name } = defined[gauge]
    const labels = labelsOf(Number(chain), currency)
    if (gauge === 'earnings' || gauge === 'oldest') return [{ gauge: name, labels, value: Number(value) }]
    const known = currencies.find(Number(chain), currency ?? '')
    // What is no longer configured has no decimals to show it with.
    if (known === undefined) return []
    if (gauge === 'reservations') return [{ gauge: name, labels, value: Number(value) }]
    const units = Number(formatAmount(BigInt(value), known.decimals))
    return [{ gauge: name, labels: account === null ? labels : { ...labels, account }, value: units }]
  }

  return {
    name: 'balances',
    gauges: Object.values(defined),
    read: async () => {
      if (last !== null && now() - last.at < KEEP_MS) return last.samples
      const { rows } = await pool.query<GaugeRow>({ ...GAUGES, values: [clock.now()] })
      last = { at: now(), samples: [...quiet(), ...rows.flatMap(toSample)] }
      return last.samples
    },
  }
}
