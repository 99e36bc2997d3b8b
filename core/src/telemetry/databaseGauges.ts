import type { Pool } from 'pg'
import type { Chain, ChainRegistry } from '../chain/chainRegistry.js'
import type { Clock } from '../clock/clock.js'
import { formatAmount } from '../money/amount.js'
import type { Currency, CurrencyRegistry } from '../money/currency/currency.js'
import { slotOfNow } from '../quote/quoteStoreSql.js'
import { DATABASE_GAUGES } from './databaseGaugesSql.js'
import type { MetricDefinition, MetricSource, Sample } from './metrics.js'

export interface DatabaseGaugesDeps {
  readonly pool: Pool
  readonly clock: Clock
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
}

interface GaugeRow {
  readonly gauge: string
  readonly chain: string | null
  readonly label: string | null
  readonly value: string
}

/** The steps that requests and payouts wait for. */
const ACTIONS = [
  ...['decide', 'requote', 'await-settle', 'await-release', 'await-deposit', 'await-block', 'await-payout', 'execute'],
  ...['sign', 'broadcast', 'track', 'prove-dead', 'settle', 'await-withdrawal', 'await-limit', 'await-signer'],
]
/** Gauges without a row where nothing is to be told. */
const ZERO_IF_QUIET = [
  'causeway_lane_oldest_unpaid_seconds',
  'causeway_chain_halted',
  'causeway_requests_awaiting_settle',
]
const SAME = '; the same on every host: aggregate with max'

/** A currency's label: its symbol, with the address where the chain has several of that symbol. */
export const labelOf = (currency: Currency, all: readonly Currency[]): string => {
  const same = all.filter(({ chainId, symbol }) => chainId === currency.chainId && symbol === currency.symbol)
  return same.length > 1 ? `${currency.symbol} ${currency.address}` : currency.symbol
}

const definitions = (chain: readonly string[], signer: readonly string[], currency: readonly string[]) => {
  const ofChain = (name: string, help: string): MetricDefinition => ({ name, help: help + SAME, labels: { chain } })
  const ofCurrency = (name: string, help: string): MetricDefinition => ({
    name,
    help: help + SAME,
    labels: { chain, currency },
  })
  const ofWallet = (name: string, help: string): MetricDefinition => ({
    name,
    help: help + SAME,
    labels: { chain, signer, currency },
  })
  return {
    watcher_lag_blocks: ofChain('causeway_watcher_lag_blocks', 'Blocks the watcher of deposits had still to read'),
    watcher_age: ofChain('causeway_watcher_page_age_seconds', 'Since the watcher of deposits last stored a page'),
    quarantined: ofChain('causeway_lane_quarantined', '1 while the signing lane pays nothing until an operator looks'),
    solver_gone: ofChain(
      'causeway_solver_gone_seconds',
      'Since a process last worked the payout lane; where none ever did, since this process started',
    ),
    halted: ofChain(
      'causeway_chain_halted',
      '1 while nothing is paid for deposits of the chain until an operator looks: settled blocks were replaced',
    ),
    awaiting_settle: ofChain(
      'causeway_requests_awaiting_settle',
      'Requests whose deposits wait because too much of their chain was paid for before it is settled',
    ),
    live_attempts: ofChain('causeway_lane_live_attempts', 'Payouts signed and not yet included'),
    unpaid_seconds: ofChain(
      'causeway_lane_oldest_unpaid_seconds',
      'Age of the oldest deposit or payout that could be paid and is not, less what blocks that come far apart may take',
    ),
    balance: ofCurrency('causeway_inventory_balance', 'What the solver holds, in whole units'),
    available: ofCurrency('causeway_inventory_available', 'What it holds and has not promised, in whole units'),
    wallet_difference: ofWallet(
      'causeway_wallet_difference',
      'What the wallet of a payout key holds beyond the books, below 0 less, in whole units; what is under way is taken off',
    ),
    wallet_missing: ofWallet(
      'causeway_wallet_missing',
      'What is missing in the wallet of a payout key by the books and is more than gas not booked yet, in whole units',
    ),
    imbalance: ofCurrency(
      'causeway_ledger_imbalance',
      'Sum of what the newest ledger transactions are crooked by, whole units',
    ),
    overdue: {
      name: 'causeway_overdue_actions',
      help: `Next actions more than a minute late${SAME}`,
      labels: { kind: ['request', 'payout'], action: ACTIONS },
    },
    troubled: {
      name: 'causeway_troubled',
      help: `Requests and payouts that failed each time they were tried for more than a minute${SAME}`,
      labels: { kind: ['request', 'payout'] },
    },
    outbox: {
      name: 'causeway_outbox_depth',
      help: `Events no reader may see yet, because an older transaction is open${SAME}`,
      labels: {},
    },
    outbox_held: {
      name: 'causeway_outbox_held_seconds',
      help: `Age of the oldest event no reader may see yet${SAME}`,
      labels: {},
    },
  } satisfies Record<string, MetricDefinition>
}

/** Blocks that come by chance may take so many times as long as usual. */
const LONG_WAIT = 3
/** Blocks of the destination until a payment is in one, a replacement at a higher fee included. */
const INCLUDED_WITHIN = 3

const blockSeconds = (chain: Chain | undefined): number => chain?.adapter.capabilities.headIntervalSeconds ?? 0

/** How long what is to be paid may wait for blocks alone: on the deposit, where there is an origin, and for the payment. */
export const usualWait = (destination: Chain | undefined, origin: Chain | undefined): number => {
  const { confirmations, quorum = [] } = origin?.config ?? {}
  const blocks = Math.max(confirmations?.fill ?? 0, ...quorum.map((tier) => tier.confirmations ?? 0))
  return LONG_WAIT * (blocks * blockSeconds(origin) + INCLUDED_WITHIN * blockSeconds(destination))
}

type GaugeKey = keyof ReturnType<typeof definitions>

/** Gauges of what the database holds, read by one statement. Amounts are rounded to numbers here, for eyes only. */
export const databaseGauges = ({ pool, clock, chains, currencies }: DatabaseGaugesDeps): MetricSource => {
  const slugs = new Map(chains.all().map(({ config }) => [String(config.id), config.slug]))
  const signers = new Map(chains.all().map(({ config }) => [String(config.id), config.solver]))
  const all = currencies.all()
  const startedAt = performance.now()
  const gauges: Readonly<Record<string, MetricDefinition>> = definitions(
    [...slugs.values()],
    [...new Set(signers.values())],
    [...new Set(all.map((currency) => labelOf(currency, all)))],
  )
  const ofCurrency = new Set<string>([
    'balance',
    'available',
    'wallet_difference',
    'wallet_missing',
    'imbalance',
  ] satisfies GaugeKey[])
  const ofWallet = new Set<string>(['wallet_difference', 'wallet_missing'] satisfies GaugeKey[])

  const toSample = (row: GaugeRow): Sample[] => {
    const name = gauges[row.gauge]?.name
    if (name === undefined) return []
    if (row.gauge === 'overdue') {
      return [{ gauge: name, labels: { kind: row.chain ?? '', action: row.label ?? '' }, value: Number(row.value) }]
    }
    if (row.gauge === 'unpaid_seconds') {
      const [destination, origin] = [row.chain, row.label].map((id) => chains.find(Number(id)))
      const value = Math.max(0, Number(row.value) - usualWait(destination, origin))
      return [{ gauge: name, labels: { chain: slugs.get(row.chain ?? '') ?? '' }, value }]
    }
    if (row.gauge === 'troubled') return [{ gauge: name, labels: { kind: row.chain ?? '' }, value: Number(row.value) }]
    const chain = slugs.get(row.chain ?? '') ?? ''
    if (!ofCurrency.has(row.gauge)) return [{ gauge: name, labels: { chain }, value: Number(row.value) }]
    const currency = currencies.find(Number(row.chain), row.label ?? '')
    // What is no longer configured has no decimals to show it with.
    if (currency === undefined)
      return row.gauge === 'imbalance' ? [{ gauge: name, labels: { chain, currency: '' }, value: 1 }] : []
    const value = Number(formatAmount(BigInt(row.value), currency.decimals))
    const signer = ofWallet.has(row.gauge) ? { signer: signers.get(row.chain ?? '') ?? '' } : {}
    return [{ gauge: name, labels: { chain, ...signer, currency: labelOf(currency, all) }, value }]
  }

  /** A balanced currency has no row, but a series at 0. */
  const balanced = (): Sample[] =>
    all.map((currency) => ({
      gauge: 'causeway_ledger_imbalance',
      labels: { chain: slugs.get(String(currency.chainId)) ?? '', currency: labelOf(currency, all) },
      value: 0,
    }))

  /** Chains that no solver ever worked on. */
  const unsolved = (rows: readonly GaugeRow[]): Sample[] => {
    const solved = new Set(rows.filter(({ gauge }) => gauge === 'solver_gone').map(({ chain }) => chain))
    const value = Math.round((performance.now() - startedAt) / 1000)
    return [...slugs]
      .filter(([id]) => !solved.has(id))
      .map(([, chain]) => ({ gauge: 'causeway_solver_gone_seconds', labels: { chain }, value }))
  }

  return {
    name: 'database',
    gauges: Object.values(gauges),
    read: async () => {
      const now = clock.now()
      const { rows } = await pool.query<GaugeRow>({ ...DATABASE_GAUGES, values: [now, slotOfNow(now)] })
      const quiet = [...slugs.values()].flatMap((chain) =>
        ZERO_IF_QUIET.map((gauge) => ({ gauge, labels: { chain }, value: 0 })),
      )
      const none = [
        { gauge: 'causeway_overdue_actions', labels: { kind: 'request', action: 'decide' }, value: 0 },
        { gauge: 'causeway_overdue_actions', labels: { kind: 'payout', action: 'sign' }, value: 0 },
      ]
      return [...balanced(), ...quiet, ...none, ...unsolved(rows), ...rows.flatMap(toSample)]
    },
  }
}
