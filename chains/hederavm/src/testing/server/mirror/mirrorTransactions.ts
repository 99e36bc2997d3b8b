import type { RestCall, RestRoutes } from '@causeway/core/testing'
import { KINDS, type Kind, mirrorName } from '../../engine/kinds.js'
import type { LedgerTx, Transfer } from '../../engine/ledgerTx.js'
import { EVERY, idList } from '../../engine/networkBlocks.js'
import { bigintOf, nanosOf, timeText } from '../../engine/values.js'
import { invalidParameter, NOT_FOUND, pageOf, parseId, parseTime } from './mirrorPages.js'
import type { MirrorView } from './mirrorView.js'

/** Types of transactions, also one that the local network never has. CAST: keys of the table. */
const NAMES = new Set([...(Object.keys(KINDS) as Kind[]).map(mirrorName), 'ETHEREUMTRANSACTION'])

const transferJson = ({ account, amount, approval }: Transfer) => ({ account, amount, is_approval: approval })

const entityOf = ({ made }: LedgerTx): string | null => made.token ?? made.schedule ?? made.account ?? null

export const transactionJson = (tx: LedgerTx) => {
  const { body, transfers } = tx
  return {
    ...{ bytes: null, charged_tx_fee: tx.fee, consensus_timestamp: timeText(tx.consensus), entity_id: entityOf(tx) },
    ...{ max_fee: String(bigintOf(body.transactionFee)), name: mirrorName(tx.kind), node: tx.node, nonce: tx.nonce },
    memo_base64: Buffer.from(body.memo ?? '').toString('base64'),
    parent_consensus_timestamp: tx.parent === null ? null : timeText(tx.parent),
    ...{ result: tx.result, scheduled: tx.scheduled, nft_transfers: [], staking_reward_transfers: [] },
    token_transfers: transfers
      .filter(({ token }) => token !== null)
      .map((transfer) => ({ token_id: transfer.token, ...transferJson(transfer) })),
    transaction_hash: Buffer.from(tx.hash).toString('base64'),
    transaction_id: mirrorId(tx.id),
    transfers: transfers.filter(({ token }) => token === null).map(transferJson),
    valid_duration_seconds: String(bigintOf(body.transactionValidDuration?.seconds)),
    valid_start_timestamp: timeText(nanosOf(tx.transactionId.transactionValidStart)),
  }
}

const detailedJson = (tx: LedgerTx) => ({
  ...transactionJson(tx),
  assessed_custom_fees: tx.assessed.map(({ amount, token, collector, payers }) => ({
    ...{ amount, collector_account_id: collector, effective_payer_account_ids: payers, token_id: token },
  })),
})

/** `payer-seconds-nanos` of `payer@seconds.nanos`. */
const mirrorId = (id: string): string => id.replace(/@(\d+)\./, '-$1-')

/** List of transactions with an id of a path. @throws CallError */
const listOf = (text: string): string => {
  const [, payer, seconds, nanos = ''] = /^(0\.0\.\d+)-(\d{1,19})-(\d{1,9})$/.exec(text) ?? []
  if (payer === undefined) throw invalidParameter('transactionId')
  return idList(`${payer}@${seconds}.${nanos.padStart(9, '0')}`)
}

/** A parameter with one of a few values. @throws CallError */
const choice = (query: URLSearchParams, name: string, values: ReadonlySet<string>): string | null => {
  const value = query.get(name)
  if (value !== null && !values.has(value)) throw invalidParameter(name)
  return value
}

const RESULTS = new Set(['success', 'fail'])
const TYPES = new Set(['credit', 'debit'])
const BOOLEANS = new Set(['true', 'false'])

export const transactionPage = (mirror: MirrorView, { query, body }: RestCall) => {
  const { view } = mirror
  const asked = query.get('account.id')
  const number = asked === null ? null : parseId(asked.replace(/^eq:/, ''))
  if (asked !== null && number === null) throw invalidParameter('account.id')
  const account = number === null ? null : `0.0.${number}`
  const result = choice(query, 'result', RESULTS)
  const type = choice(query, 'type', TYPES)
  const name = choice(query, 'transactiontype', NAMES)
  const moves = ({ transfers }: LedgerTx): boolean =>
    transfers.some((one) => (account === null || one.account === account) && one.amount > 0n === (type === 'credit'))
  const all = view
    .history(account ?? EVERY)
    .map(({ tx }) => tx)
    .filter((tx) => name === null || mirrorName(tx.kind) === name)
    .filter((tx) => result === null || (tx.result === 'SUCCESS') === (result === 'success'))
    .filter((tx) => type === null || moves(tx))
  const { items, links } = pageOf<LedgerTx>({ query, body }, '/api/v1/transactions', mirror.limit, {
    ...{ all, placeOf: ({ consensus }: LedgerTx) => consensus, order: 'desc' as const },
    ...{ name: 'timestamp', parse: parseTime, textOf: timeText },
  })
  return { transactions: items.map(transactionJson), links }
}

/** Transactions with an id: duplicates, children and the scheduled one, unless parameters exclude them. @throws CallError */
const transactionsWithId = ({ view }: MirrorView, text: string, { query }: RestCall) => {
  const scheduled = choice(query, 'scheduled', BOOLEANS)
  const nonce = query.get('nonce')
  if (nonce !== null && !/^\d+$/.test(nonce)) throw invalidParameter('nonce')
  const found = view
    .history(listOf(text))
    .map(({ tx }) => tx)
    .filter((tx) => scheduled === null || String(tx.scheduled) === scheduled)
    .filter((tx) => nonce === null || tx.nonce === Number(nonce))
  if (found.length === 0) throw NOT_FOUND
  return { transactions: found.map(detailedJson) }
}

export const transactionRoutes = (mirror: MirrorView): RestRoutes => ({
  'GET /api/v1/transactions': (_, call) => transactionPage(mirror, call),
  'GET /api/v1/transactions/:id': ([id = ''], call) => transactionsWithId(mirror, decodeURIComponent(id), call),
})
