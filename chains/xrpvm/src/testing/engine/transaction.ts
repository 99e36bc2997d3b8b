import type { Amount, IssuedAmount } from './amounts/amount.js'

/** A transaction as its blob says it. */
export interface Tx {
  readonly TransactionType: string
  readonly Account: string
  readonly Fee: string
  /** 0 where a ticket takes its place. */
  readonly Sequence: number
  readonly TicketSequence?: number
  readonly Flags?: number
  readonly LastLedgerSequence?: number
  readonly NetworkID?: number
  readonly SigningPubKey?: string
  readonly TxnSignature?: string
  readonly Signers?: readonly unknown[]
  readonly Memos?: readonly unknown[]
  readonly Destination?: string
  readonly DestinationTag?: number
  readonly Amount?: Amount
  readonly SendMax?: Amount
  readonly DeliverMin?: Amount
  readonly Paths?: readonly unknown[]
  readonly LimitAmount?: IssuedAmount
  readonly SetFlag?: number
  readonly ClearFlag?: number
  readonly TransferRate?: number
  readonly RegularKey?: string
  readonly TicketCount?: number
  readonly Owner?: string
  readonly OfferSequence?: number
  readonly FinishAfter?: number
  readonly CheckID?: string
  readonly Authorize?: string
  readonly Unauthorize?: string
}

/** A transaction that is applied for its account without its key. */
export type UnsignedTx = Pick<Tx, 'TransactionType' | 'Account'> & Partial<Tx>

/** The account that holds all XRP at the beginning. */
export const GENESIS_ACCOUNT = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'

/** A transaction with its hash and blob. */
export interface NamedTx {
  readonly tx: Tx
  readonly hash: string
  /** Upper-case hex. */
  readonly blob: string
}

/** The number that it takes: of a ticket, or of the account's sequence. */
export const sequenceOf = ({ Sequence, TicketSequence }: Tx): number => TicketSequence ?? Sequence

export const hasFlag = ({ Flags = 0 }: { readonly Flags?: number }, flag: number): boolean => (Flags & flag) !== 0

/** Flag of a payment that may deliver less than it names. */
export const PARTIAL_PAYMENT = 0x20000
