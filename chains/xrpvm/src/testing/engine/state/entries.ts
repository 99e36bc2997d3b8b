import type { IssuedAmount } from '../amounts/amount.js'

interface EntryBase {
  /** Its key in the ledger: 64 upper-case hex digits. */
  readonly index: string
  readonly Flags: number
  readonly PreviousTxnID?: string
  readonly PreviousTxnLgrSeq?: number
}

export interface AccountRoot extends EntryBase {
  readonly LedgerEntryType: 'AccountRoot'
  readonly Account: string
  /** Drops. */
  readonly Balance: string
  readonly Sequence: number
  readonly OwnerCount: number
  readonly RegularKey?: string
  readonly TransferRate?: number
  readonly TicketCount?: number
}

/** A trust line. Its balance is what the lower of both accounts holds; negative: what the higher one holds. */
export interface RippleState extends EntryBase {
  readonly LedgerEntryType: 'RippleState'
  readonly Balance: IssuedAmount
  readonly LowLimit: IssuedAmount
  readonly HighLimit: IssuedAmount
}

export interface Ticket extends EntryBase {
  readonly LedgerEntryType: 'Ticket'
  readonly Account: string
  readonly TicketSequence: number
}

export interface Escrow extends EntryBase {
  readonly LedgerEntryType: 'Escrow'
  readonly Account: string
  readonly Destination: string
  readonly Amount: string
  readonly FinishAfter?: number
}

export interface Check extends EntryBase {
  readonly LedgerEntryType: 'Check'
  readonly Account: string
  readonly Destination: string
  readonly SendMax: string
  readonly Sequence: number
}

export interface DepositPreauth extends EntryBase {
  readonly LedgerEntryType: 'DepositPreauth'
  readonly Account: string
  readonly Authorize: string
}

/** Something in a ledger, spelt as rippled spells it. */
export type Entry = AccountRoot | RippleState | Ticket | Escrow | Check | DepositPreauth

/** Flags of an account. */
export const ACCOUNT_FLAGS = {
  requireDest: 0x20000,
  requireAuth: 0x40000,
  disallowXrp: 0x80000,
  disableMaster: 0x100000,
  noFreeze: 0x200000,
  globalFreeze: 0x400000,
  defaultRipple: 0x800000,
  depositAuth: 0x1000000,
  disallowIncomingCheck: 0x8000000,
  disallowIncomingTrustline: 0x20000000,
} as const

/** The accounts whose entry it is: whoever lists the objects of one of them finds it. */
export const accountsOf = (entry: Entry): readonly string[] => {
  if (entry.LedgerEntryType === 'RippleState') return [entry.LowLimit.issuer, entry.HighLimit.issuer]
  if (entry.LedgerEntryType === 'Escrow' || entry.LedgerEntryType === 'Check') return [entry.Account, entry.Destination]
  return [entry.Account]
}
