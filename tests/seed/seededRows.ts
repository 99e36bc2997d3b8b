import {
  type RecordDeposit,
  type RecordFacts,
  type RecordPayout,
  type RecordTx,
  serializeTerms,
  toBytea,
} from '@causeway/core/plugin'
import type { Column, CopyValue } from './copyRows.js'
import { quotedAmountUsd } from './seededQuote.js'

const FINISHED = new Set(['success', 'failure', 'refund'])
/** So far off that a host which runs on seeded tables leaves what is unfinished alone. */
const NEVER = '2200-01-01T00:00:00Z'

const ACTIONS: Readonly<Record<string, string>> = {
  waiting: 'await-deposit',
  depositing: 'await-deposit',
  pending: 'decide',
  submitted: 'await-payout',
}

const time = (milliseconds: number): string => new Date(milliseconds).toISOString()
const blockTime = ({ blockTime: seconds }: RecordTx): string | null => (seconds === null ? null : time(seconds * 1_000))
const json = (value: unknown): string | null => (value === null || value === undefined ? null : JSON.stringify(value))
const bytes = (value: RecordFacts['id'] | null): Buffer | null => (value === null ? null : toBytea(value))

const fillSeconds = ({ status, txs }: RecordFacts): number | null => {
  const [fill, deposit] = [
    txs.find(({ purpose }) => purpose === 'fill'),
    txs.find(({ direction }) => direction === 'in'),
  ]
  if (status !== 'success' || fill === undefined || deposit === undefined) return null
  return Math.max(0, (fill.blockTime ?? 0) - (deposit.blockTime ?? 0))
}

type Facts = Column<RecordFacts>
const of = (name: string, value: (facts: RecordFacts) => CopyValue): Facts => ({ name, of: value })

export const REQUEST_COLUMNS: readonly Facts[] = [
  of('id', ({ id }) => toBytea(id)),
  of('order_id', ({ orderId }) => bytes(orderId)),
  of('status', ({ status }) => status),
  of('version', ({ txs }) => 1 + txs.length),
  of('origin_chain_id', ({ terms }) => terms.origin.chainId),
  of('destination_chain_id', ({ terms }) => terms.destination.chainId),
  of('origin_currency', ({ terms }) => terms.origin.currency),
  of('destination_currency', ({ terms }) => terms.destination.currency),
  of('user_address', ({ user }) => user),
  of('recipient', ({ recipient }) => recipient),
  of('refund_to', ({ refundTo }) => refundTo),
  of('amount_in', ({ terms }) => terms.depositAmount.toString()),
  of('amount_out', ({ terms }) => terms.payoutAmount.toString()),
  of('refund_reason', ({ refundReason }) => refundReason),
  of('fail_reason', ({ failReason }) => failReason),
  of('refund_fail_reason', ({ refundFailReason }) => refundFailReason),
  of('terms', ({ terms }) => serializeTerms(terms)),
  of('integrator_id', ({ integratorId }) => integratorId),
  of('api_key_id', ({ apiKeyId }) => apiKeyId),
  of('referrer', ({ referrer }) => referrer),
  of('quoted_at', ({ quotedAt }) => time(quotedAt)),
  of('created_at', ({ createdAt }) => time(createdAt)),
  of('updated_at', ({ updatedAt }) => time(updatedAt)),
  of('next_action', ({ status }) => ACTIONS[status] ?? null),
  of('next_action_at', ({ status }) => (FINISHED.has(status) ? null : NEVER)),
  of('currency_in', ({ terms }) => terms.origin.currency),
  of('currency_out', ({ terms }) => terms.destination.currency),
  of('symbol_in', (facts) => quotedAmountUsd(facts, 'currencyIn').symbol),
  of('symbol_out', (facts) => quotedAmountUsd(facts, 'currencyOut').symbol),
  of('request_type', ({ requestType }) => requestType),
  of('features', ({ features }) => `{${features.join(',')}}`),
  of('amount_usd', (facts) => quotedAmountUsd(facts, 'currencyIn').usd),
  of('app_fees_usd', (facts) => quotedAmountUsd(facts, 'app').usd),
  of('deposit_address', ({ depositAddress }) => depositAddress),
  of('depositor', ({ depositor }) => depositor),
  of('fill_seconds', fillSeconds),
]

export const FACT_COLUMNS: readonly Facts[] = [
  of('request_id', ({ id }) => toBytea(id)),
  of('quoted', ({ quoted }) => JSON.stringify(quoted)),
  of('body', ({ body }) => JSON.stringify(body)),
  of('external_metadata', ({ externalMetadata }) => json(externalMetadata)),
]

export const ORDER_COLUMNS: readonly Facts[] = [
  of('order_id', ({ orderId }) => bytes(orderId)),
  of('request_id', ({ id }) => toBytea(id)),
  of('data', ({ order }) => JSON.stringify(order)),
  of('created_at', ({ createdAt }) => time(createdAt)),
]

/** A row that belongs to a request, with the number its table gives it. */
export interface Owned<Item> {
  readonly facts: RecordFacts
  readonly item: Item
  readonly number: string
}
const owned = <Item>(name: string, value: (row: Owned<Item>) => CopyValue): Column<Owned<Item>> => ({ name, of: value })

export const TX_COLUMNS: readonly Column<Owned<RecordTx>>[] = [
  owned('request_id', ({ facts }) => toBytea(facts.id)),
  owned('direction', ({ item }) => item.direction),
  owned('purpose', ({ item }) => item.purpose),
  owned('chain_id', ({ item }) => item.chainId),
  owned('tx_id', ({ item }) => item.txId),
  owned('block_height', ({ item }) => item.blockHeight),
  owned('block_hash', ({ item }) => item.blockHash),
  owned('block_time', ({ item }) => blockTime(item)),
  owned('fee', ({ item }) => item.fee?.toString() ?? null),
  owned('status', ({ item }) => item.status),
  owned('data', ({ item }) => json(item.data)),
  // The deposit comes first.
  owned('created_at', ({ facts, item }) => time(item.direction === 'in' ? facts.createdAt : facts.updatedAt)),
]

export const DEPOSIT_COLUMNS: readonly Column<Owned<RecordDeposit>>[] = [
  owned('id', ({ number }) => number),
  owned('chain_id', ({ item }) => item.chainId),
  owned('tx_id', ({ item }) => item.txId),
  owned('position', () => 0),
  owned('onchain_id', ({ item }) => toBytea(item.onchainId)),
  owned('order_id', ({ facts }) => bytes(facts.orderId)),
  owned('depositor', ({ item }) => item.depositor),
  owned('depository', ({ item }) => item.depository),
  owned('currency', ({ item }) => item.currency),
  owned('amount', ({ item }) => item.amount.toString()),
  owned('block_height', ({ facts }) => facts.txs[0]?.blockHeight ?? null),
  owned('state', ({ item }) => item.state),
  owned('request_id', ({ facts }) => toBytea(facts.id)),
  owned('outcome', ({ item }) => item.outcome),
  owned('outcome_at', ({ facts, item }) => (item.outcome === null ? null : time(facts.updatedAt))),
  owned('withdrawn_at', ({ facts, item }) => (item.withdrawn ? time(facts.updatedAt) : null)),
  owned('created_at', ({ facts }) => time(facts.createdAt)),
]

export const PAYOUT_COLUMNS: readonly Column<Owned<RecordPayout>>[] = [
  owned('purpose', ({ item }) => item.purpose),
  owned('cause', ({ number }) => `deposit:${number}`),
  owned('deposit_id', ({ number }) => number),
  owned('request_id', ({ facts }) => toBytea(facts.id)),
  owned('order_id', ({ facts }) => bytes(facts.orderId)),
  owned('chain_id', ({ item }) => item.chainId),
  owned('signer', ({ item }) => item.signer),
  owned('recipient', ({ item }) => item.recipient),
  owned('currency', ({ item }) => item.currency),
  owned('amount', ({ item }) => item.amount.toString()),
  owned('fees', ({ item }) => item.fees.toString()),
  owned('state', ({ item }) => item.state),
  owned('created_at', ({ facts }) => time(facts.createdAt)),
  owned('updated_at', ({ facts }) => time(facts.updatedAt)),
  owned('next_action', ({ item }) => (item.state === 'final' ? null : 'track')),
  owned('next_action_at', ({ item }) => (item.state === 'final' ? null : NEVER)),
]
