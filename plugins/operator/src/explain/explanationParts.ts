import { type CurrencyRegistry, destinationText } from '@causeway/core'
import { parseTerms } from '@causeway/core/plugin'
import { shown } from '../text/moneyText.js'
import { due } from '../text/timeText.js'
import type {
  AttemptExplanation,
  ByHand,
  DepositExplanation,
  EarningExplanation,
  LedgerExplanation,
  NextAction,
  PayoutExplanation,
  QuoteExplanation,
} from './explanation.js'
import type { AuditRow, DepositRow, LedgerRow, PayoutRow } from './explanationRows.js'

export const iso = (at: number): string => new Date(at).toISOString()
export const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at))

/** What a quote promised. */
export const explainQuote = (currencies: CurrencyRegistry, text: string): QuoteExplanation => {
  const terms = parseTerms(text)
  const { earnings, sponsorship } = terms
  const origin = (amount: bigint) => shown(currencies, { ...terms.origin, amount })
  const destination = (amount: bigint) => shown(currencies, { ...terms.destination, amount })
  return {
    requestId: terms.requestId,
    orderId: terms.orderId,
    tradeType: terms.tradeType,
    user: terms.user,
    recipient: destinationText(terms.recipient),
    refundTo: terms.refundTo === null ? null : destinationText(terms.refundTo),
    in: origin(terms.depositAmount),
    minimumIn: origin(terms.minimumDeposit),
    out: destination(terms.payoutAmount),
    minimumOut: destination(terms.minimumPayout),
    fees: origin(terms.feesIn),
    fillCost: origin(terms.fillCost),
    earnings: (earnings?.list ?? []).map(({ wallet, kind, bps = null, worth }) => ({
      wallet,
      kind,
      bps,
      money: shown(currencies, {
        chainId: earnings?.chainId ?? 0,
        currency: earnings?.currency ?? '',
        amount: worth,
      }),
    })),
    sponsor: sponsorship === undefined ? null : { wallet: sponsorship.wallet, money: shown(currencies, sponsorship) },
    quotedAt: iso(terms.quotedAt),
    priceUntil: iso(terms.priceUntil),
    orderDeadline: iso(terms.orderDeadline * 1000),
    fillBy: terms.fillBy === null ? null : iso(terms.fillBy * 1000),
  }
}

export const explainDeposit = (currencies: CurrencyRegistry, row: DepositRow): DepositExplanation => ({
  id: row.id,
  chainId: Number(row.chain_id),
  txId: row.tx_id,
  position: row.position,
  state: row.state,
  money: shown(currencies, { chainId: Number(row.chain_id), currency: row.currency, amount: BigInt(row.amount) }),
  depositor: row.depositor,
  orderId: row.order_id,
  block:
    row.block_height === null || row.block_hash === null || row.block_time === null
      ? null
      : { height: row.block_height, hash: row.block_hash, time: iso(row.block_time) },
  depth: row.depth,
  seenAt: iso(row.created_at),
  parkedReason: row.parked_reason,
  outcome: row.outcome,
  outcomeReason: row.outcome_reason,
  outcomeAt: isoOrNull(row.outcome_at),
  withdrawnAt: isoOrNull(row.withdrawn_at),
  reorg: row.reorg === null ? null : JSON.parse(row.reorg),
})

export const explainPayout = (currencies: CurrencyRegistry, row: PayoutRow): PayoutExplanation => ({
  id: row.id,
  purpose: row.purpose,
  cause: row.cause,
  state: row.state,
  money: shown(currencies, { chainId: Number(row.chain_id), currency: row.currency, amount: BigInt(row.amount) }),
  fees: shown(currencies, {
    chainId: Number(row.fees_chain_id),
    currency: row.fees_currency,
    amount: BigInt(row.fees),
  }),
  earnings: explainEarnings(currencies, row),
  sponsor: explainSponsor(currencies, row),
  recipient: row.recipient,
  signer: row.signer,
  createdAt: iso(row.created_at),
  includedAt: isoOrNull(row.included_at),
  includedHeight: row.included_height,
  inclusions: row.inclusions,
  retries: row.retries,
  failReason: row.fail_reason,
  details: row.details,
  notSimulated: row.not_run,
  generations: row.generations,
  attempts: row.attempts.map((attempt) => explainAttempt(currencies, Number(row.chain_id), attempt)),
})

const explainEarnings = (currencies: CurrencyRegistry, { earnings, earning }: PayoutRow): EarningExplanation[] =>
  (earnings?.list ?? []).map(({ holder, kind, bps = null, worth }) => ({
    wallet: holder,
    kind,
    bps,
    money: shown(currencies, {
      chainId: earnings?.chainId ?? 0,
      currency: earnings?.currency ?? '',
      amount: BigInt(worth),
    }),
    settled: earning === 'settled',
  }))

const explainSponsor = (currencies: CurrencyRegistry, { sponsorship }: PayoutRow): PayoutExplanation['sponsor'] =>
  sponsorship === null
    ? null
    : { wallet: sponsorship.holder, money: shown(currencies, { ...sponsorship, amount: BigInt(sponsorship.amount) }) }

const explainAttempt = (
  currencies: CurrencyRegistry,
  chainId: number,
  attempt: PayoutRow['attempts'][number],
): AttemptExplanation => {
  const native = currencies.native(chainId)?.address ?? ''
  return {
    generation: attempt.generation,
    version: attempt.version,
    kind: attempt.kind,
    txId: attempt.tx_id,
    state: attempt.state,
    message: attempt.message,
    storedAt: iso(attempt.created_ms),
    broadcastAt: isoOrNull(attempt.broadcast_ms),
    block: attempt.height === null || attempt.hash === null ? null : { height: attempt.height, hash: attempt.hash },
    fee: attempt.fee === null ? null : shown(currencies, { chainId, currency: native, amount: BigInt(attempt.fee) }),
  }
}

/** The books of one explanation: what was posted, and where it left every account. */
export const explainLedger = (currencies: CurrencyRegistry, rows: readonly LedgerRow[]): LedgerExplanation => {
  const totals = new Map<string, Omit<LedgerRow['entries'][number], 'amount'> & { amount: bigint }>()
  const sums = new Map<string, bigint>()
  for (const { id, entries } of rows) {
    for (const { account, holder, chainId, currency, amount } of entries) {
      const key = `${account} ${holder} ${chainId} ${currency}`
      const before = totals.get(key)?.amount ?? 0n
      totals.set(key, { account, holder, chainId, currency, amount: before + BigInt(amount) })
      const sum = `${id} ${chainId} ${currency}`
      sums.set(sum, (sums.get(sum) ?? 0n) + BigInt(amount))
    }
  }
  return {
    transactions: rows.map((row) => ({
      cause: row.cause,
      event: row.event,
      at: iso(row.posted_at),
      entries: row.entries.map((entry) => ({
        account: entry.account,
        holder: entry.holder,
        ...shown(currencies, { ...entry, amount: BigInt(entry.amount) }),
      })),
    })),
    totals: [...totals.values()].map((total) => ({
      account: total.account,
      holder: total.holder,
      ...shown(currencies, total),
    })),
    sumsToZero: [...sums.values()].every((sum) => sum === 0n),
  }
}

export const byHand = (rows: readonly AuditRow[]): ByHand[] =>
  rows.map(({ at, actor, action, details }) => ({
    at: iso(at),
    actor,
    action,
    reason: typeof details.reason === 'string' ? details.reason : null,
  }))

/** What happens next by itself, soonest first. */
export const nextActions = (
  request: { readonly next_action: string | null; readonly next_action_at: number | null } | null,
  payouts: readonly PayoutRow[],
  now: number,
): NextAction[] =>
  [
    ...(request === null ? [] : [{ of: 'request', ...request }]),
    ...payouts.map(({ id, next_action, next_action_at }) => ({ of: `payout ${id}`, next_action, next_action_at })),
  ]
    .flatMap(({ of, next_action: action, next_action_at: at }) =>
      action === null || at === null ? [] : [{ of, action, at }],
    )
    .sort((left, right) => left.at - right.at)
    .map(({ of, action, at }) => ({ of, action, at: iso(at), due: due(at, now) }))
