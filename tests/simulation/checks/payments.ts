import type { PayoutPurpose } from '@causeway/core/chain'
import type { CheckedLedger, CheckedRecord, CheckedTransfer, CheckState } from './checkState.js'

/** Something that a chain shows and the service's keys signed. */
export interface SignedTransfer {
  readonly chain: number
  readonly tx: string
  readonly transfer: CheckedTransfer
  /** Null while it waits for a block. */
  readonly record: CheckedRecord | null
}

/** Money that an order moved, by what the chain says. */
export interface Payment {
  readonly chain: number
  readonly tx: string
  readonly order: string
  readonly purpose: PayoutPurpose
  readonly to: string
  readonly currency: string
  readonly amount: bigint
}

const MEMO = /^(0x[0-9a-f]{64})(?: (refund|excess|sweep|withdraw|claim|origin))?$/

/** Whether keys of the service signed it. */
const isOurs = ({ keys, depository }: CheckedLedger, { from, account }: CheckedTransfer): boolean =>
  [from, account].some(
    (signer) => signer === keys.payer.address || signer === keys.sender?.address || signer === depository,
  )

/** What stands on a chain or waits for it, signed by the service. */
export const signedTransfers = (state: CheckState): SignedTransfer[] =>
  state.options.ledgers.flatMap((ledger) => {
    const { chainId: chain } = ledger
    const inBlocks = ledger.records().map((record) => ({ chain, tx: record.id, transfer: record.transfer, record }))
    const waiting = ledger
      .pending()
      .map((transfer) => ({ chain, tx: state.options.idOf(transfer), transfer, record: null }))
    return [...inBlocks, ...waiting].filter(({ transfer }) => isOurs(ledger, transfer))
  })

/** A sweep that brought nothing of what it was planned for: somebody else was first. */
const isEmpty = ({ transfer, swept }: CheckedRecord): boolean =>
  swept !== undefined && !swept.some(({ currency }) => currency === transfer.currency)

/** Successful payments in blocks that count. What names no order is none. */
export const readPayments = (signed: readonly SignedTransfer[]): Payment[] =>
  signed.flatMap(({ chain, tx, transfer, record }) => {
    const [, order, purpose = 'fill'] = MEMO.exec(transfer.memo) ?? []
    if (order === undefined || record?.status !== 'success' || isEmpty(record)) return []
    const { to, currency, amount } = transfer
    // CAST: the purposes that the pattern lets through.
    return [{ chain, tx, order, purpose: purpose as PayoutPurpose, to, currency, amount: BigInt(amount) }]
  })
