import { createHash } from 'node:crypto'

/** One transfer. Amounts are decimal text; every field is signed. */
export interface LedgerTransfer {
  readonly from: string
  readonly to: string
  readonly currency: string
  readonly amount: string
  readonly memo: string
  /** Owner within the account that is paid: 0 is one, none is another. */
  readonly tag?: number
  /** Owner within the account that pays; 0 is one. */
  readonly fromTag?: number
  /** Makes equal transfers differ. */
  readonly sequence: number
  /** Last height that may include it. */
  readonly validUntil: number
}

/** What is sent to a node. Keys and signatures are hex. */
export interface SignedTransfer {
  readonly transfer: LedgerTransfer
  readonly publicKey: string
  readonly signature: string
}

/** A transfer as nodes show it. */
export interface LedgerRecord {
  readonly id: string
  readonly transfer: LedgerTransfer
  readonly status: 'pending' | 'success' | 'failed'
  readonly reason: string | null
  readonly fee: string
  readonly block: LedgerBlock | null
}

export interface LedgerBlock {
  readonly height: number
  readonly hash: string
  /** Unix seconds. */
  readonly time: number
}

/** Charged for every transaction that is included, also for one that fails. */
export const FEE = 10n

/** The bytes that are signed: fields in this order, whatever order they came in. */
export const bytesOf = (transfer: LedgerTransfer): Uint8Array => {
  const { from, to, currency, amount, memo, sequence, validUntil, tag = null, fromTag = null } = transfer
  const fields = [from, to, currency, amount, memo, sequence, validUntil, tag, fromTag]
  return new TextEncoder().encode(JSON.stringify(fields))
}

export const idOf = (transfer: LedgerTransfer): string => createHash('sha256').update(bytesOf(transfer)).digest('hex')
