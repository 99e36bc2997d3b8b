import { larger } from '@causeway/core'
import type { CheckedLedger, CheckState } from '../checkState.js'
import type { SignedTransfer } from '../payments.js'
import type { Problem } from '../problem.js'
import { grouped } from '../rowIndex.js'
import type { OriginRow, Rows } from '../rows.js'

/** Smallest units of a whole coin. */
const UNITS = 1_000_000n

const ONCE = 'chain: a signature makes one deposit'
const POSTED = 'chain: only what its user posted is sent for it'
const SENDER = 'origin: no payout key sends for users'
const ONE = 'origin: one transaction is sent for a request'
const AGAIN = 'origin: what failed in a block is not sent a second time'
const OPEN = 'F148: an account has one pending permit of a token'
const CAP = 'F148: transactions that failed for an account cost no more than the cap'
const FAILED = 'origin: a request that failed has no deposit'
const BLIND = 'origin: no request fails whose deposit stands on its chain'
const WAITS = 'end: what is signed and can never be sent is waited for by nobody'

/** What is sent for users who only sign, after every step. */
export const checkOrigins = (state: CheckState, rows: Rows, signed: readonly SignedTransfer[]): Problem[] => {
  const told = state.options.signedPermits?.() ?? []
  if (told.length === 0 && rows.origins.length === 0) return []
  return [
    ...state.options.ledgers.flatMap(checkOnce),
    ...checkPosted(state, signed),
    ...checkSender(state, signed),
    ...checkOne(rows),
    ...checkAgain(state, rows),
    ...checkOpen(rows),
    ...checkCap(state, rows),
    ...rows.origins.flatMap((origin) => checkFailed(state, rows, origin)),
  ]
}

const checkOnce = (ledger: CheckedLedger): Problem[] => {
  const used = ledger
    .records()
    .flatMap(({ id, status, transfer: { permit } }) =>
      permit === undefined || status !== 'success' ? [] : [[permit.orderId, id] as const],
    )
  return [...grouped(used)].flatMap(([order, ids]) =>
    ids.length > 1 ? [{ invariant: ONCE, words: `${order}: ${ids.join(', ')}` }] : [],
  )
}

const checkPosted = ({ options }: CheckState, signed: readonly SignedTransfer[]): Problem[] => {
  const posted = new Set((options.signedPermits?.() ?? []).flatMap((told) => (told.posted ? [told.signature] : [])))
  return signed.flatMap(({ tx, transfer: { permit } }) =>
    permit === undefined || posted.has(permit.signature)
      ? []
      : [{ invariant: POSTED, words: `${tx} brings in ${permit.orderId}` }],
  )
}

/** A permit may run code of its owner: the key that sends it holds nothing but gas. */
const checkSender = ({ options }: CheckState, signed: readonly SignedTransfer[]): Problem[] => {
  const payers = new Map(options.ledgers.map(({ chainId, keys }) => [chainId, keys.payer.address]))
  return signed.flatMap(({ chain, tx, transfer: { permit, account } }) =>
    permit === undefined || account !== payers.get(chain)
      ? []
      : [{ invariant: SENDER, words: `${tx} is of ${account}` }],
  )
}

const checkOne = ({ origins }: Rows): Problem[] =>
  [...grouped(origins.map((origin) => [origin.request, origin]))].flatMap(([request, own]) =>
    own.length > 1
      ? [{ invariant: ONE, words: `request ${request}: payouts ${own.map(({ payout }) => payout).join(', ')}` }]
      : [],
  )

/** Whoever signs and leaves has us pay for one transaction. */
const checkAgain = ({ options }: CheckState, { origins, attempts }: Rows): Problem[] => {
  const failed = new Set(
    options.ledgers.flatMap((ledger) =>
      ledger.records().flatMap(({ id, status, transfer }) => (status === 'failed' && transfer.permit ? [id] : [])),
    ),
  )
  return origins.flatMap(({ payout }) => {
    const own = attempts.filter((attempt) => attempt.payout === payout && attempt.kind === 'pay')
    const first = own.find(({ tx }) => failed.has(tx))
    const again = own.find(({ generation }) => first !== undefined && generation > first.generation)
    return first === undefined || again === undefined
      ? []
      : [{ invariant: AGAIN, words: `payout ${payout}: ${first.tx} failed, and ${again.tx} followed` }]
  })
}

const PENDING: ReadonlySet<string> = new Set(['ready', 'signed'])

/** A block that left may bring a second one back. */
const checkOpen = ({ origins }: Rows): Problem[] => {
  const pending = origins.flatMap(({ owner, chain, currency, state, left, payout }) =>
    owner !== null && PENDING.has(state) && !left ? [[`${owner} ${chain} ${currency}`, payout] as const] : [],
  )
  return [...grouped(pending)].flatMap(([key, payouts]) =>
    payouts.length > 1 ? [{ invariant: OPEN, words: `${key}: payouts ${payouts.join(', ')}` }] : [],
  )
}

/** One transaction always passes. By the lowest price, since each was let in by that of its moment. */
const checkCap = ({ options, now }: CheckState, { attempts, origins }: Rows): Problem[] => {
  const { unpaidCap, usdOver, networkFee = 0n } = options
  if (unpaidCap === undefined) return []
  const owners = new Map(origins.map(({ payout, owner }) => [payout, owner]))
  const own = new Map(attempts.flatMap(({ tx, payout, found }) => (found ? [] : [[tx, owners.get(payout)] as const])))
  return options.ledgers.flatMap((ledger) => {
    const { least = 1n, most = 1n } = usdOver?.(ledger.coin, { from: 0, until: now }) ?? {}
    const records = ledger.records().flatMap(({ id, status, fee }) => {
      const owner = own.get(id)
      return typeof owner === 'string' ? [[owner, { failed: status === 'failed', fee: BigInt(fee) }] as const] : []
    })
    return [...grouped(records)].flatMap(([owner, sent]) => {
      const sumOf = (isFailed: boolean): bigint =>
        sent.reduce((sum, { failed, fee }) => (failed === isFailed ? sum + fee : sum), 0n)
      const dearest = sent.reduce((top, { failed, fee }) => (failed && fee > top ? fee : top), 0n)
      const before = sumOf(true) - dearest
      const cap = larger(unpaidCap, (2n * sumOf(false) * most) / UNITS)
      if (before === 0n || (before + networkFee) * least <= cap * UNITS) return []
      return [{ invariant: CAP, words: `${sumOf(true)} of gas was lost for ${owner} on ${ledger.slug}` }]
    })
  })
}

const isDead = ({ state }: OriginRow): boolean => state === 'dead'

/** By what the database itself says, and by what every node shows for so long that nobody can have overlooked it. */
const checkFailed = (state: CheckState, rows: Rows, origin: OriginRow): Problem[] => {
  const request = rows.requests.find(({ id }) => id === origin.request)
  if (!isDead(origin) || request?.status !== 'failure') return []
  const stored = rows.deposits.find((deposit) => deposit.request === origin.request && deposit.state === 'included')
  if (stored !== undefined) return [{ invariant: FAILED, words: `request ${origin.request} has deposit ${stored.id}` }]
  if (state.seen.statuses.get(origin.request)?.status !== 'waiting') return []
  const words = standing(state, origin)
  return words === null ? [] : [{ invariant: BLIND, words: `request ${origin.request} fails, and ${words}` }]
}

/** What brought the money of a permit in, in a block that cannot leave; null: nothing did. */
const standing = ({ options }: CheckState, { chain, order }: OriginRow): string | null => {
  const ledger = options.ledgers.find(({ chainId }) => chainId === chain)
  const record = ledger
    ?.records()
    .find(({ status, transfer }) => status === 'success' && transfer.permit?.orderId === order)
  const height = record?.block?.height
  return height === undefined ? null : `${record?.id} stands in block ${height} of ${ledger?.slug}`
}

/** When everything is finished. */
export const checkEndOrigins = ({ origins, requests }: Rows): Problem[] =>
  origins.filter(isDead).flatMap(({ payout, request: id }) => {
    const request = requests.find((row) => row.id === id)
    return request?.status === 'waiting'
      ? [{ invariant: WAITS, words: `request ${id} is waiting for payout ${payout}, which is dead` }]
      : []
  })
