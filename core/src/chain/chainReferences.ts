import type { Json } from './json.js'

/**
 * Who is paid on a chain: an account and, where owners share one, what tells them apart. It stays whole from the quote to the record;
 * `destinationText` makes one text of it.
 */
export interface Destination {
  readonly address: string
  /** A whole number of 32 bits (chains.md xrpvm 1); 0 is a tag, and none is another (faults.md F24). */
  readonly tag?: number
  /** Text that an exchange asks for beside its address (chains.md tonvm 5, hederavm 5); never empty. */
  readonly memo?: string
}

/**
 * A transaction; `id` is the canonical text the API shows, `locator` what else the chain needs to find it: stored wherever the
 * transaction is, and handed back wherever it is looked up. Absent of transactions that somebody named by their id alone.
 */
export interface TxRef {
  readonly id: string
  readonly locator?: Json
}

/** Which deposit of a chain: its transaction, and its position among the deposits of that (wire.md 3.1 TX). */
export interface DepositReference {
  readonly tx: TxRef
  readonly position: number
  /** Height of the block that held it when it was last shown; null or absent: not known. A node that dropped that block denies nothing. */
  readonly height?: bigint | null
}

/** An amount in the smallest unit of a currency of the chain at hand. */
export interface ChainMoney {
  readonly currency: string
  readonly amount: bigint
}

/** A block of a chain. */
export interface BlockRef {
  readonly height: bigint
  readonly hash: string
  /** Unix seconds. */
  readonly time: number
}

/** What the network charges now; `validForMs` bounds caching. */
export interface FeeQuote {
  readonly network: ChainMoney
  /** What the currency itself takes of the payer beyond this very amount, its smallest unit; absent: nothing. Never cached. */
  readonly currencyFee?: bigint
  readonly validForMs: number
}

/** An allowance that an owner gives a contract. */
export interface Approval {
  readonly owner: string
  readonly token: string
  readonly spender: string
  readonly amount: bigint
}

/** One item of a step, before the service adds request id and check (wire.md 1.4). Items of equal `stepId` in a row stay separate steps. */
export interface StepItemDraft {
  readonly stepId: 'approve' | 'deposit' | 'authorize' | 'authorize1' | 'authorize2' | 'send' | 'swap'
  readonly kind: 'transaction' | 'signature'
  readonly action: string
  readonly description: string
  readonly data: Json
  /** Of an `approve` that gives an allowance: it is done when the chain shows one of so much. */
  readonly approval?: Approval
}
