import type { RecordDeposit, RecordFacts, RecordPayout } from '../recordFacts.js'

const LANDED: readonly RecordPayout['state'][] = ['included', 'final']
const SENT: readonly RecordPayout['state'][] = ['signed', ...LANDED]

/** Whether a payment is on the chain. */
export const isLanded = ({ state }: RecordPayout): boolean => LANDED.includes(state)

/** Whether a payment is signed: it may reach the chain at any moment, or has. */
export const isSent = ({ state }: RecordPayout): boolean => SENT.includes(state)

/** What really happened to a request. */
export interface RecordExecution {
  /** The deposit that counts: it stands on the chain, or was filled before it left it. */
  readonly deposit: RecordDeposit | null
  readonly fill: RecordPayout | null
  /** A fill was tried, whatever came of it. */
  readonly fillAttempted: boolean
  /** The fill, once paid. */
  readonly filled: RecordPayout | null
  /** Payments back that are on the chain. */
  readonly refunded: readonly RecordPayout[]
}

const preferred = <T>(items: readonly T[], test: (item: T) => boolean): T | null =>
  items.find(test) ?? items.at(-1) ?? null

/** Reads the facts of a request for what was deposited, paid and sent back. */
export const executionOf = ({ status, deposits, payouts, txs }: RecordFacts): RecordExecution => {
  const fill = preferred(
    payouts.filter(({ purpose }) => purpose === 'fill'),
    isLanded,
  )
  const fillAttempted =
    fill?.attempted === true || txs.some(({ direction, purpose }) => direction === 'out' && purpose === 'fill')
  const standing = deposits.find(({ state }) => state === 'included') ?? null
  return {
    deposit: standing ?? (fillAttempted ? (deposits.at(-1) ?? null) : null),
    fill,
    fillAttempted,
    // A fill that left the chain is sent again; the request stays successful (wire.md K.2 3).
    filled: fill !== null && (isLanded(fill) || (status === 'success' && isSent(fill))) ? fill : null,
    refunded: payouts.filter((payout) => isRefund(payout) && isLanded(payout)),
  }
}

/** Money that goes back: of a refund, or what a deposit had too much. */
export const isRefund = ({ purpose }: RecordPayout): boolean => purpose === 'refund' || purpose === 'excess'
