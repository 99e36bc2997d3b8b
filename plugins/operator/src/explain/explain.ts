import type { Hex } from '@causeway/core'
import { readService } from '@causeway/core/plugin'
import { readAddresses, readHistory } from '../addresses/addressRows.js'
import { type AddressDetails, toAddressDetails } from '../addresses/addressView.js'
import { readNewest, readWallets } from '../balances/walletBalances.js'
import { closedLaneOf } from '../now/closedLane.js'
import type { OperatorDeps } from '../operatorDeps.js'
import { shown } from '../text/moneyText.js'
import type {
  CameBy,
  Explanation,
  ImportedExplanation,
  ParkedExplanation,
  QuoteExplanation,
  Relative,
  RequestExplanation,
  WalletExplanation,
} from './explanation.js'
import {
  byHand,
  explainDeposit,
  explainLedger,
  explainPayout,
  explainQuote,
  iso,
  nextActions,
} from './explanationParts.js'
import {
  causesOf,
  type DepositRow,
  type ExplanationRows,
  type LedgerRow,
  type PayoutRow,
  type RequestRow,
  readExplanationRows,
  subjectsOf,
} from './explanationRows.js'
import { findSubjects, normaliseId, type Subjects } from './findSubjects.js'
import { findProblems, type ProblemContext } from './problems.js'
import { timeline } from './timeline.js'

export type ExplainDeps = Pick<OperatorDeps, 'pool' | 'clock' | 'chains' | 'currencies'>

/** Tells all there is to know of an id; null when nothing is known of it. At most nineteen statements. */
export const explain = async (deps: ExplainDeps, given: string, limit: number): Promise<Explanation | null> => {
  const { pool, chains, clock } = deps
  const id = normaliseId(given)
  const subjects = await findSubjects(
    pool,
    id,
    chains.all().map(({ config }) => config.id),
    limit,
  )
  const wallet = await explainWallet(deps, id)
  if (subjects.meanings.length === 0 && wallet === null) return null
  const rows = await readExplanationRows(pool, subjects.requestIds, subjects.depositIds)
  const addresses = await explainAddresses(deps, subjects, rows)
  const found = { rows, addresses, lanes: await readLanes(deps) }
  return {
    schemaVersion: 1,
    id,
    explainedAt: iso(clock.now()),
    meanings: [...subjects.meanings, ...(wallet === null ? [] : ['wallet with a balance'])],
    wallet,
    requests: rows.requests.map((row) => explainRequest(deps, row, found)),
    parkedDeposits: rows.deposits
      .filter(({ request_id }) => request_id === null)
      .map((row) => explainParked(deps, row, found)),
    addresses,
    unpaidQuotes: await readQuotes(deps, subjects),
    importedTransactions: subjects.imported ? await readImported(deps, id) : [],
    more: subjects.more,
  }
}

/** Requests by their ids, newest first, as `explain` tells them; unknown ids are left out. At most thirteen statements. */
export const explainRequests = async (
  deps: ExplainDeps,
  requestIds: readonly Hex[],
): Promise<readonly RequestExplanation[]> => {
  const rows = await readExplanationRows(deps.pool, requestIds, [])
  const addresses = await explainAddresses(deps, NO_SUBJECTS, rows)
  const found = { rows, addresses, lanes: await readLanes(deps) }
  return rows.requests.map((row) => explainRequest(deps, row, found))
}

const NO_SUBJECTS: Pick<Subjects, 'addressIds'> = { addressIds: [] }

interface Found {
  readonly rows: ExplanationRows
  readonly addresses: readonly AddressDetails[]
  readonly lanes: Pick<ProblemContext, 'chainName' | 'closedLane'>
}

const readLanes = async ({ pool, chains }: ExplainDeps): Promise<Found['lanes']> => {
  const states = await readService(pool, chains)
  const chainName = (id: number) => chains.find(id)?.config.slug ?? String(id)
  const closedLane = (chainId: number) => {
    const state = states.find((item) => item.chainId === chainId)
    return state === undefined ? null : closedLaneOf(state, chainName)
  }
  return { chainName, closedLane }
}

/** What deposits and payouts have in common in both kinds of explanation. */
const explainCommon = (
  deps: ExplainDeps,
  request: RequestRow | null,
  deposits: readonly DepositRow[],
  payouts: readonly PayoutRow[],
  { rows, lanes }: Found,
) => {
  const now = deps.clock.now()
  const causes = new Set(causesOf(request === null ? [] : [request.id], deposits, payouts))
  const ledger = rows.ledger.filter(({ cause }) => causes.has(cause))
  const subjects = new Set(subjectsOf(request === null ? [] : [request], deposits, payouts))
  const audit = rows.audit.filter(({ subject }) => subjects.has(subject))
  const events = rows.events.filter(({ request_id }) => request_id === request?.id)
  const quotedAt = request === null ? null : Number(JSON.parse(request.terms).quotedAt)
  return {
    payouts: payouts.map((row) => explainPayout(deps.currencies, row)),
    timeline: timeline(deps.currencies, { quotedAt, deposits, events, payouts, audit }),
    ledger: explainLedger(deps.currencies, ledger),
    byHand: byHand(audit),
    problems: findProblems({ request, deposits, payouts }, { now, parked: parkedBy(ledger), ...lanes }),
    next: nextActions(request, payouts, now),
  }
}

/** What is parked of each deposit, by the books. */
const parkedBy = (ledger: readonly LedgerRow[]): Map<string, bigint> => {
  const parked = new Map<string, bigint>()
  for (const { cause, entries } of ledger) {
    if (!cause.startsWith('deposit:')) continue
    const id = cause.slice('deposit:'.length)
    for (const { account, amount } of entries) {
      if (account === 'parked') parked.set(id, (parked.get(id) ?? 0n) - BigInt(amount))
    }
  }
  return parked
}

const NEWEST_ENTRIES = 40

/** The balances of an address, where it is a wallet that has any or pays for somebody. */
const explainWallet = async (deps: ExplainDeps, id: string): Promise<WalletExplanation | null> => {
  if (!/^0x[0-9a-f]{40}$/.test(id)) return null
  const [wallet] = await readWallets(deps, [id], deps.clock.now())
  return wallet === undefined ? null : { ...wallet, movements: await readNewest(deps, id, NEWEST_ENTRIES) }
}

/** Those that are meant, and those that the requests came by. */
const explainAddresses = async (
  { pool, currencies, clock }: ExplainDeps,
  { addressIds }: Pick<Subjects, 'addressIds'>,
  { requests }: ExplanationRows,
): Promise<readonly AddressDetails[]> => {
  const ids = [...new Set([...addressIds, ...requests.flatMap(({ address_id }) => address_id ?? [])])]
  const [rows, history] = await Promise.all([readAddresses(pool, ids), readHistory(pool, ids)])
  return rows.map((row) => toAddressDetails(currencies, row, history, clock.now()))
}

const cameBy = (row: RequestRow, addresses: readonly AddressDetails[]): CameBy | null => {
  const found = addresses.find(({ addressId }) => addressId === row.address_id)
  if (found === undefined) return null
  const { addressId, address, type, waitsFor } = found
  const isOver = row.next_action === null
  return { addressId, address, type, transferTx: row.transfer_tx, waitsFor: isOver ? [] : waitsFor }
}

const explainRequest = (deps: ExplainDeps, row: RequestRow, found: Found): RequestExplanation => {
  const { rows, addresses } = found
  const deposits = rows.deposits.filter(({ request_id }) => request_id === row.id)
  const own = new Set(deposits.map(({ id }) => id))
  const payouts = rows.payouts.filter(
    ({ request_id, deposit_id }) => request_id === row.id || own.has(deposit_id ?? ''),
  )
  const relatives = rows.relatives.map((item): Relative & { parent: Hex | null } => ({
    requestId: item.id,
    status: item.status,
    failReason: item.fail_reason,
    parent: item.parent,
  }))
  const bare = ({ requestId, status, failReason }: Relative): Relative => ({ requestId, status, failReason })
  const parent = relatives.find(({ requestId }) => requestId === row.parent)
  return {
    requestId: row.id,
    status: row.status,
    failReason: row.fail_reason,
    firstFailReason: row.first_fail_reason,
    refundFailReason: row.refund_fail_reason,
    details: row.details,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    integratorId: row.integrator_id,
    referrer: row.referrer,
    quote: explainQuote(deps.currencies, row.terms),
    parent:
      row.parent === null
        ? null
        : parent === undefined
          ? { requestId: row.parent, status: 'unpaid', failReason: null }
          : bare(parent),
    children: relatives.filter((item) => item.parent === row.id).map(bare),
    supersededBy: row.superseded_by,
    cameBy: cameBy(row, addresses),
    deposits: deposits.map((deposit) => explainDeposit(deps.currencies, deposit)),
    ...explainCommon(deps, row, deposits, payouts, found),
  }
}

const explainParked = (deps: ExplainDeps, row: DepositRow, found: Found): ParkedExplanation => ({
  deposit: explainDeposit(deps.currencies, row),
  ...explainCommon(
    deps,
    null,
    [row],
    found.rows.payouts.filter(({ deposit_id }) => deposit_id === row.id),
    found,
  ),
})

export const readQuotes = async (
  { pool, currencies }: Pick<ExplainDeps, 'pool' | 'currencies'>,
  { quoteIds }: Pick<Subjects, 'quoteIds'>,
): Promise<QuoteExplanation[]> => {
  if (quoteIds.length === 0) return []
  const { rows } = await pool.query<{ terms: string }>(
    'select terms from quotes where id = any($1) order by created_at desc',
    [quoteIds.map((id) => Buffer.from(id.slice(2), 'hex'))],
  )
  return rows.map(({ terms }) => explainQuote(currencies, terms))
}

interface ImportedRow {
  chain_id: string
  tx_id: string
  signer: string
  order_id: string | null
  recipient: string
  currency: string
  amount: string
  status: string
  payout_id: string | null
}

const readImported = async ({ pool, currencies }: ExplainDeps, id: string): Promise<ImportedExplanation[]> => {
  const { rows } = await pool.query<ImportedRow>(
    `select chain_id::text as chain_id, tx_id, signer, '0x' || encode(order_id, 'hex') as order_id, recipient, currency,
       amount::text as amount, status, payout_id::text as payout_id
     from imported_transactions where tx_id = $1 or '0x' || encode(order_id, 'hex') = $1 order by created_at desc limit 20`,
    [id],
  )
  return rows.map((row) => ({
    chainId: Number(row.chain_id),
    txId: row.tx_id,
    signer: row.signer,
    orderId: row.order_id,
    recipient: row.recipient,
    money: shown(currencies, { chainId: Number(row.chain_id), currency: row.currency, amount: BigInt(row.amount) }),
    status: row.status,
    payoutId: row.payout_id,
  }))
}
