import type { CurrencyRegistry } from '@causeway/core'
import { moneyText, shown } from '../text/moneyText.js'
import type { TimelineEntry } from './explanation.js'
import { iso } from './explanationParts.js'
import type { AuditRow, DepositRow, EventRow, PayoutRow } from './explanationRows.js'

/** An entry with the time it is sorted by. */
interface Dated {
  readonly at: number
  /** Order of things that share a time. */
  readonly rank: number
  readonly entry: Omit<TimelineEntry, 'at'>
}

const NOWHERE = { chainId: null, txId: null, block: null }

export interface TimelineRows {
  readonly quotedAt: number | null
  readonly deposits: readonly DepositRow[]
  readonly events: readonly EventRow[]
  readonly payouts: readonly PayoutRow[]
  readonly audit: readonly AuditRow[]
}

/** Everything that happened, in order, with its evidence. */
export const timeline = (currencies: CurrencyRegistry, rows: TimelineRows): TimelineEntry[] =>
  [
    ...(rows.quotedAt === null
      ? []
      : [{ at: rows.quotedAt, rank: 0, entry: { kind: 'quoted', text: 'the quote was made', ...NOWHERE } }]),
    ...rows.deposits.flatMap((row) => ofDeposit(currencies, row)),
    ...rows.events.map(ofEvent),
    ...rows.payouts.flatMap((row) => ofPayout(currencies, row)),
    ...rows.audit.map(ofAudit),
  ]
    .sort((left, right) => left.at - right.at || left.rank - right.rank)
    .map(({ at, entry }) => ({ at: iso(at), ...entry }))

const ofDeposit = (currencies: CurrencyRegistry, row: DepositRow): Dated[] => {
  const chainId = Number(row.chain_id)
  const money = moneyText(shown(currencies, { chainId, currency: row.currency, amount: BigInt(row.amount) }))
  const where = { chainId, txId: row.tx_id, block: row.block_height }
  const parked = row.parked_reason === null ? '' : `, parked: ${row.parked_reason}`
  const seen = {
    at: row.created_at,
    rank: 1,
    entry: { kind: 'deposit', text: `${money} seen in the depository${parked}`, ...where },
  }
  const reorg = ofReorg(row)
  const decided =
    row.outcome === null || row.outcome_at === null
      ? []
      : [
          {
            at: row.outcome_at,
            rank: 3,
            entry: {
              kind: 'decision',
              text: `${row.outcome}${row.outcome_reason === null ? '' : `: ${row.outcome_reason}`}`,
              ...NOWHERE,
            },
          },
        ]
  return [seen, ...reorg, ...decided]
}

const ofReorg = ({ reorg, chain_id, tx_id, created_at, state }: DepositRow): Dated[] => {
  if (reorg === null) return []
  const { detectedAt, source, reason } = JSON.parse(reorg)
  const text = `the deposit left the chain (${String(reason)}, by ${String(source)})${state === 'included' ? ' and came back' : ''}`
  const at = typeof detectedAt === 'number' ? detectedAt : created_at
  return [{ at, rank: 1, entry: { kind: 'reorg', text, chainId: Number(chain_id), txId: tx_id, block: null } }]
}

const ofEvent = ({ status, payload, created_at, version }: EventRow): Dated => {
  const told = JSON.parse(payload)
  const reasons = [told.failReason, told.refundFailReason].filter(
    (reason) => typeof reason === 'string' && reason !== 'N/A',
  )
  const message = typeof told.details?.message === 'string' ? [told.details.message] : []
  const why = [...reasons, ...message]
  return {
    at: created_at,
    rank: 4,
    entry: {
      kind: 'status',
      text: `${status} (version ${version})${why.length === 0 ? '' : `: ${why.join(', ')}`}`,
      ...NOWHERE,
    },
  }
}

const ofPayout = (currencies: CurrencyRegistry, row: PayoutRow): Dated[] => {
  const chainId = Number(row.chain_id)
  const money = moneyText(shown(currencies, { chainId, currency: row.currency, amount: BigInt(row.amount) }))
  const name = `payout ${row.id} (${row.purpose})`
  const made = {
    at: row.created_at,
    rank: 3,
    entry: { kind: 'payout', text: `${name}: ${money} to ${row.recipient}`, chainId, txId: null, block: null },
  }
  const attempts = row.attempts.flatMap((attempt): Dated[] => {
    const where = { chainId, txId: attempt.tx_id, block: attempt.height }
    const which = `${name} generation ${attempt.generation} version ${attempt.version}${attempt.kind === 'cancel' ? ', the cancel' : ''}`
    const signed = {
      at: attempt.created_ms,
      rank: 5,
      entry: { kind: 'signed', text: `${which} signed and stored`, ...where, block: null },
    }
    if (attempt.broadcast_ms === null) return [signed]
    const answer = attempt.state === 'rejected' ? `, refused: ${attempt.message ?? 'no answer'}` : ''
    return [
      signed,
      {
        at: attempt.broadcast_ms,
        rank: 6,
        entry: { kind: 'broadcast', text: `${which} broadcast${answer}`, ...where, block: null },
      },
    ]
  })
  return [made, ...attempts, ...ofInclusion(row, name, chainId)]
}

const ofInclusion = (row: PayoutRow, name: string, chainId: number): Dated[] => {
  const landed = row.attempts.find(({ state }) => state === 'included' || state === 'reverted')
  if (landed === undefined || row.included_at === null) return []
  const again = row.inclusions > 1 ? `, for the ${row.inclusions}. time` : ''
  const text = `${name} included${again}${row.state === 'final' ? ' and final by now' : ''}`
  // The block's time has no fraction: it is never before the broadcast it includes.
  const at = Math.max(row.included_at, landed.broadcast_ms ?? 0)
  return [{ at, rank: 7, entry: { kind: 'included', text, chainId, txId: landed.tx_id, block: landed.height } }]
}

const ofAudit = ({ at, actor, action, details }: AuditRow): Dated => ({
  at,
  rank: 2,
  entry: {
    kind: 'by hand',
    text: `${action} by ${actor}${typeof details.reason === 'string' ? `: ${details.reason}` : ''}`,
    ...NOWHERE,
  },
})
