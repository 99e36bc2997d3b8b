/** What a series shows, one value each 15 seconds, as promtool writes them: `from+step x times`. */
export type SeriesValues = Readonly<Record<string, string>>

export interface RuleCase {
  readonly name: string
  /** Beside the series of a healthy deployment, or in place of them. */
  readonly series: SeriesValues
  /** Moments, and the alerts that fire just then: name without `Causeway`, and its labels. */
  readonly fires: Readonly<Record<string, readonly { readonly alert: string; readonly labels?: SeriesLabels }[]>>
}

type SeriesLabels = Readonly<Record<string, string>>

/** Two hours. */
const STEPS = 480
/** The same value all the time. */
const always = (value: number): string => `${value}x${STEPS}`
/** One value for so many minutes, then another. */
const turns = (before: number, minutes: number, after: number): string =>
  `${before}x${minutes * 4 - 1} ${always(after)}`
/** Grows by so much in each step. */
const grows = (by: number): string => `0+${by}x${STEPS}`
/** Stands for so many minutes, then grows. */
const growsFrom = (minutes: number, by: number): string => `0x${minutes * 4 - 1} 0+${by}x${STEPS}`

const HARBOR = 'chain="harbor"'
/** Ten minutes between blocks. */
const RIVER = 'chain="river"'
const HEAD = 'causeway_chain_head_age_seconds'
const PAGE = 'causeway_watcher_page_age_seconds'
const UNPAID = 'causeway_lane_oldest_unpaid_seconds'
const FILLS = 'causeway_deposit_to_fill_seconds_bucket'
const DECISIONS = 'causeway_decisions_total'
const QUOTES = 'causeway_quotes_total'
const INVENTORY = 'currency="ETH"'
const WALLET = 'signer="0x5e",currency="ETH"'

/** Busy, and nothing is wrong: transfers, a few failures, dust of strangers, slow blocks. */
export const HEALTHY: SeriesValues = {
  [`causeway_chain_block_seconds{${HARBOR}}`]: always(0),
  [`causeway_chain_block_seconds{${RIVER}}`]: always(600),
  [`${HEAD}{${HARBOR}}`]: always(4),
  [`${HEAD}{${RIVER}}`]: `0+15x${STEPS / 2} 0+15x${STEPS / 2}`,
  [`${PAGE}{${HARBOR}}`]: always(3),
  [`${PAGE}{${RIVER}}`]: `20+15x${STEPS / 2} 5+15x${STEPS / 2}`,
  [`causeway_watcher_lag_blocks{${HARBOR}}`]: always(1),
  'causeway_leases_held{kind="watch"}': always(2),
  [`causeway_solver_gone_seconds{${HARBOR}}`]: `0x20 20x2 ${always(0)}`,
  [`${UNPAID}{${HARBOR}}`]: always(40),
  [`causeway_lane_quarantined{${HARBOR}}`]: always(0),
  [`causeway_chain_halted{${HARBOR}}`]: always(0),
  [`causeway_chain_quorum{${HARBOR}}`]: always(1),
  [`causeway_requests_awaiting_settle{${HARBOR}}`]: always(0),
  [`causeway_deposit_address_oldest_unswept_seconds{${HARBOR}}`]: always(45),
  [`causeway_deposit_address_waiting{${HARBOR},reason="dust"}`]: grows(1),
  'causeway_overdue_actions{kind="request",action="decide"}': always(0),
  'causeway_troubled{kind="payout"}': always(0),
  [`causeway_item_failures_total{${HARBOR},step="decide"}`]: grows(0.5),
  [`causeway_payouts_total{${HARBOR},purpose="fill",result="dead"}`]: always(1),
  [`causeway_payouts_total{${HARBOR},purpose="fill",result="reorged"}`]: always(0),
  [`${DECISIONS}{${HARBOR},result="fill"}`]: grows(20),
  [`${DECISIONS}{${HARBOR},result="refund"}`]: grows(1),
  [`causeway_parked_deposits{${HARBOR},reason="unreturned"}`]: always(0),
  [`causeway_parked_deposits{${HARBOR},reason="stray"}`]: always(7),
  [`causeway_parked_deposits{${HARBOR},reason="excess"}`]: grows(1),
  [`causeway_inventory_balance{${HARBOR},${INVENTORY}}`]: always(100),
  [`causeway_inventory_available{${HARBOR},${INVENTORY}}`]: always(60),
  [`causeway_wallet_difference{${HARBOR},${WALLET}}`]: always(0.02),
  [`causeway_wallet_missing{${HARBOR},${WALLET}}`]: always(0),
  [`causeway_ledger_imbalance{${HARBOR},${INVENTORY}}`]: always(0),
  [`causeway_app_balance{${HARBOR},${INVENTORY},account="app"}`]: always(70),
  [`causeway_app_balance{${HARBOR},${INVENTORY},account="earned"}`]: always(20),
  [`causeway_app_balance{${HARBOR},${INVENTORY},account="exposure"}`]: always(50),
  [`causeway_earnings_oldest_seconds{${HARBOR}}`]: always(900),
  [`causeway_earnings_oldest_seconds{${RIVER}}`]: always(7_200),
  [`causeway_rpc_endpoints{${HARBOR},provider="north",state="down"}`]: `0x20 1x8 ${always(0)}`,
  [`causeway_rpc_endpoints{${HARBOR},provider="north",state="distrusted"}`]: always(0),
  [`causeway_provider_alerts_total{${HARBOR},kind="providers-disagree"}`]: always(2),
  [`${FILLS}{${HARBOR},le="5"}`]: grows(19),
  [`${FILLS}{${HARBOR},le="60"}`]: grows(20),
  [`${FILLS}{${HARBOR},le="+Inf"}`]: grows(20),
  [`${FILLS}{${RIVER},le="900"}`]: grows(20),
  [`${FILLS}{${RIVER},le="3600"}`]: grows(20),
  [`${FILLS}{${RIVER},le="+Inf"}`]: grows(20),
  [`${QUOTES}{kind="bridge",code="OK"}`]: grows(100),
  [`${QUOTES}{kind="bridge",code="PRICE_FETCH_FAILED"}`]: grows(1),
  [`${QUOTES}{kind="bridge",code="AMOUNT_TOO_LOW"}`]: grows(50),
  'causeway_metric_source_up{source="database"}': always(1),
  'causeway_database_connections{state="waiting",instance="one"}': `0x9 3 ${always(0)}`,
  'causeway_database_connections{state="used",instance="one"}': always(20),
  'causeway_outbox_held_seconds{}': always(2),
  'causeway_outbox_depth{}': always(40),
  'causeway_webhook_workers{work="queue"}': always(1),
  'causeway_webhook_workers{work="send"}': always(2),
  'causeway_rate_limit_store_up{store="redis",instance="one"}': always(1),
  'causeway_job_restarts_total{task="watch harbor"}': always(3),
}

const harbor = { chain: 'harbor' }
const none: RuleCase['fires'][string] = []

/** A rule that fires `minutes` into its cause, and not a moment before. */
const after = (
  name: string,
  series: SeriesValues,
  { quiet, loud, alert, labels = {} }: { quiet: string; loud: string; alert: string; labels?: SeriesLabels },
): RuleCase => ({ name, series, fires: { [quiet]: none, [loud]: [{ alert, labels }] } })

export const RULE_CASES: readonly RuleCase[] = [
  { name: 'a busy and healthy deployment', series: {}, fires: { '20m': none, '1h': none, '1h55m': none } },
  after(
    'a chain halted',
    { [`causeway_chain_halted{${HARBOR}}`]: turns(0, 10, 1) },
    { quiet: '9m45s', loud: '10m', alert: 'ChainHalted', labels: harbor },
  ),
  after(
    'a lane quarantined',
    { [`causeway_lane_quarantined{${HARBOR}}`]: turns(0, 10, 1) },
    { quiet: '10m', loud: '10m15s', alert: 'LaneQuarantined', labels: harbor },
  ),
  after(
    'more owed to wallets than is held',
    { [`causeway_app_balance{${HARBOR},${INVENTORY},account="earned"}`]: turns(20, 10, 31) },
    { quiet: '19m45s', loud: '20m', alert: 'BalancesUncovered', labels: { ...harbor, currency: 'ETH' } },
  ),
  after(
    'earnings that do not settle',
    { [`causeway_earnings_oldest_seconds{${RIVER}}`]: turns(7_200, 10, 10_801) },
    { quiet: '14m45s', loud: '15m', alert: 'EarningsUnsettled', labels: { chain: 'river' } },
  ),
  after(
    'the cap on what is not settled',
    { [`causeway_requests_awaiting_settle{${HARBOR}}`]: turns(0, 10, 4) },
    { quiet: '11m45s', loud: '12m', alert: 'UnsettledCapReached', labels: harbor },
  ),
  after(
    'a payment to an address that nobody sweeps',
    { [`causeway_deposit_address_oldest_unswept_seconds{${HARBOR}}`]: turns(45, 10, 601) },
    { quiet: '10m45s', loud: '11m', alert: 'UnsweptTooLong', labels: harbor },
  ),
  after(
    'money that is missing pages, and is no second alert',
    {
      [`causeway_wallet_missing{${HARBOR},${WALLET}}`]: turns(0, 10, 30),
      [`causeway_wallet_difference{${HARBOR},${WALLET}}`]: turns(0, 10, -30),
    },
    { quiet: '10m', loud: '30m', alert: 'WalletMissing', labels: { ...harbor, signer: '0x5e', currency: 'ETH' } },
  ),
  after(
    'money that nobody booked',
    { [`causeway_wallet_difference{${HARBOR},${WALLET}}`]: turns(0, 10, 5) },
    { quiet: '19m45s', loud: '20m', alert: 'WalletDiffers', labels: { ...harbor, currency: 'ETH' } },
  ),
  after(
    'crooked books',
    { [`causeway_ledger_imbalance{${HARBOR},${INVENTORY}}`]: turns(0, 10, 1) },
    { quiet: '9m45s', loud: '10m', alert: 'LedgerImbalance', labels: { ...harbor, currency: 'ETH' } },
  ),
  after(
    'a refund that could not be made',
    { [`causeway_parked_deposits{${HARBOR},reason="unreturned"}`]: turns(0, 10, 1) },
    { quiet: '10m45s', loud: '11m', alert: 'ParkedDeposits', labels: { ...harbor, reason: 'unreturned' } },
  ),
  after(
    'a stray deposit more than there were',
    { [`causeway_parked_deposits{${HARBOR},reason="stray"}`]: turns(7, 10, 8) },
    { quiet: '10m45s', loud: '1h50m', alert: 'ParkedDeposits', labels: { ...harbor, reason: 'stray' } },
  ),
  after(
    'something unpaid',
    { [`${UNPAID}{${HARBOR}}`]: turns(0, 10, 130) },
    { quiet: '10m45s', loud: '11m', alert: 'UnpaidTooLong', labels: harbor },
  ),
  after(
    'actions that are late',
    { 'causeway_overdue_actions{kind="request",action="decide"}': turns(0, 10, 3) },
    { quiet: '11m45s', loud: '12m', alert: 'ActionsOverdue', labels: { kind: 'request', action: 'decide' } },
  ),
  after(
    'a payout that fails each time',
    { 'causeway_troubled{kind="payout"}': turns(0, 10, 1) },
    { quiet: '11m45s', loud: '12m', alert: 'RequestsInTrouble', labels: { kind: 'payout' } },
  ),
  after(
    'much that fails',
    { [`causeway_item_failures_total{${HARBOR},step="decide"}`]: growsFrom(20, 4) },
    { quiet: '20m', loud: '35m', alert: 'ItemFailures', labels: { ...harbor, step: 'decide' } },
  ),
  after(
    'a payment that left its chain',
    { [`causeway_payouts_total{${HARBOR},purpose="fill",result="reorged"}`]: turns(0, 10, 1) },
    { quiet: '9m45s', loud: '10m15s', alert: 'PayoutsReorged', labels: { ...harbor, purpose: 'fill' } },
  ),
  after(
    'payouts that die',
    { [`causeway_payouts_total{${HARBOR},purpose="fill",result="dead"}`]: turns(1, 20, 6) },
    { quiet: '19m45s', loud: '21m', alert: 'PayoutsDead', labels: { ...harbor, purpose: 'fill' } },
  ),
  after(
    'refunds in place of fills',
    { [`${DECISIONS}{${HARBOR},result="refund"}`]: growsFrom(20, 10) },
    { quiet: '20m', loud: '40m', alert: 'RefundsInsteadOfFills', labels: harbor },
  ),
  after(
    'a chain whose watcher stands while its blocks go on',
    { [`${PAGE}{${HARBOR}}`]: `3x39 3+15x${STEPS}` },
    { quiet: '12m', loud: '14m', alert: 'NobodyWatches', labels: harbor },
  ),
  after(
    'no process that reads',
    { 'causeway_leases_held{kind="watch"}': turns(2, 10, 0) },
    { quiet: '10m45s', loud: '11m', alert: 'NobodyWatches' },
  ),
  after(
    'no host at all',
    { 'causeway_leases_held{kind="watch"}': '2x39 stale' },
    { quiet: '10m45s', loud: '11m15s', alert: 'NobodyWatches', labels: { kind: 'watch' } },
  ),
  after(
    'a chain whose solver died',
    { [`causeway_solver_gone_seconds{${HARBOR}}`]: `0x39 0+15x${STEPS}` },
    { quiet: '11m30s', loud: '12m15s', alert: 'NoSolver', labels: harbor },
  ),
  after(
    'a chain without new blocks, and with it its watcher',
    { [`${HEAD}{${HARBOR}}`]: `4x39 4+15x${STEPS}`, [`${PAGE}{${HARBOR}}`]: `3x39 3+15x${STEPS}` },
    { quiet: '20m45s', loud: '21m30s', alert: 'HeadStale', labels: harbor },
  ),
  after(
    'a chain of slow blocks without one for more than two hours',
    { [`${HEAD}{${RIVER}}`]: `5000+15x${STEPS}`, [`${PAGE}{${RIVER}}`]: `5000+15x${STEPS}` },
    { quiet: '45m', loud: '48m', alert: 'HeadStale', labels: { chain: 'river' } },
  ),
  after(
    'a provider that the others contradict',
    { [`causeway_rpc_endpoints{${HARBOR},provider="north",state="distrusted"}`]: turns(0, 10, 1) },
    { quiet: '9m45s', loud: '10m', alert: 'ProviderDistrusted', labels: { ...harbor, provider: 'north' } },
  ),
  after(
    'providers that contradict each other about money',
    { [`causeway_provider_alerts_total{${HARBOR},kind="providers-disagree"}`]: turns(2, 10, 3) },
    { quiet: '9m45s', loud: '10m15s', alert: 'ProvidersDisagree', labels: harbor },
  ),
  after(
    'too few providers',
    { [`causeway_chain_quorum{${HARBOR}}`]: turns(1, 10, 0) },
    { quiet: '10m45s', loud: '11m', alert: 'QuorumLost', labels: harbor },
  ),
  after(
    'a provider that stays away',
    { [`causeway_rpc_endpoints{${HARBOR},provider="north",state="down"}`]: turns(0, 10, 1) },
    { quiet: '19m45s', loud: '20m', alert: 'ProviderAway', labels: { ...harbor, provider: 'north' } },
  ),
  after(
    'little that is left to promise',
    { [`causeway_inventory_available{${HARBOR},${INVENTORY}}`]: turns(60, 10, 9) },
    { quiet: '19m45s', loud: '20m', alert: 'InventoryLow', labels: { ...harbor, currency: 'ETH' } },
  ),
  after(
    'fills that are slow',
    { [`${FILLS}{${HARBOR},le="5"}`]: grows(10) },
    { quiet: '3m', loud: '20m', alert: 'SlowFills', labels: harbor },
  ),
  after(
    'quotes that fail on our side',
    { [`${QUOTES}{kind="bridge",code="PRICE_FETCH_FAILED"}`]: growsFrom(20, 20) },
    { quiet: '24m', loud: '30m', alert: 'QuotesFail' },
  ),
  after(
    'a database that does not answer',
    { 'causeway_metric_source_up{source="database"}': turns(1, 10, 0) },
    { quiet: '10m45s', loud: '11m', alert: 'DatabaseUnread', labels: { source: 'database' } },
  ),
  after(
    'work that waits for connections',
    { 'causeway_database_connections{state="waiting",instance="one"}': turns(0, 10, 4) },
    { quiet: '11m45s', loud: '12m', alert: 'ConnectionsExhausted', labels: { instance: 'one' } },
  ),
  after(
    'events behind an open transaction',
    { 'causeway_outbox_held_seconds{}': `2x39 2+15x${STEPS}` },
    { quiet: '11m45s', loud: '12m15s', alert: 'OutboxStuck' },
  ),
  after(
    'nobody who sends webhooks',
    { 'causeway_webhook_workers{work="send"}': turns(2, 10, 0) },
    { quiet: '10m45s', loud: '11m', alert: 'WebhooksStopped', labels: { work: 'send' } },
  ),
  after(
    'Redis away',
    { 'causeway_rate_limit_store_up{store="redis",instance="one"}': turns(1, 10, 0) },
    { quiet: '10m45s', loud: '11m', alert: 'RedisAway', labels: { instance: 'one' } },
  ),
  after(
    'a job that fails again and again',
    { 'causeway_job_restarts_total{task="watch harbor"}': `3x39 3+1x${STEPS}` },
    { quiet: '11m', loud: '13m', alert: 'JobsRestart', labels: { task: 'watch harbor' } },
  ),
]
