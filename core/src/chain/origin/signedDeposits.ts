import type { Hex } from '../../money/hex.js'
import type { ChainMoney, FeeQuote, StepItemDraft } from '../chainReferences.js'
import type { Json } from '../json.js'

/** How a token lets somebody else move it by its owner's signature (wire.md F.2); the words are those of `kind` in wire.md 2.7. */
export const PERMIT_KINDS = ['eip3009', 'eip2612', 'permit2'] as const
export type PermitKind = (typeof PERMIT_KINDS)[number]

/** A token that takes a signature itself needs no gas of its owner; by Permit2 its owner first sends an `approve`, once. */
export type PermitWay = 'permit' | 'permit2'

/** Transaction that an owner sends before it signs, with gas of its own. */
export interface PermitApprovals {
  readonly items: readonly StepItemDraft[]
  /** The least that the items cost their owner, native smallest unit; 0 without any. */
  readonly cost: bigint
}

/** What an owner is to sign: that `money` goes from its account into the depository under this order id, and nowhere else. */
export interface PermitTerms {
  readonly kind: PermitKind
  readonly owner: string
  readonly money: ChainMoney
  readonly orderId: Hex
  /** Unix seconds. */
  readonly expiresAt: number
}

/** A signature item as clients take it (wire.md A.4), and what of it must be known again when the signature comes back. */
export interface PermitForm {
  readonly terms: PermitTerms
  readonly sign: {
    readonly signatureKind: 'eip712'
    readonly domain: Json
    readonly types: Json
    readonly primaryType: string
    /** The message; numbers as decimal text. */
    readonly value: Json
  }
}

/** A form and what its owner signed: anyone may submit it, and it can bring one deposit under the order alone. */
export interface SignedPermit extends PermitForm {
  /** As `SignedDeposits.check` gave it back. */
  readonly signature: Hex
}

/**
 * Deposits that their owner only signs for; the lane's account sends them and pays for it (wire.md F). One is a payout with the purpose
 * `origin` and `Payout.permit`: `simulate`, `prepare`, `sign` and what follows take it as they take any. The deposit it makes is found by the
 * watcher like any other.
 */
export interface SignedDeposits {
  /** The way that a currency offers `owner`, the one that asks least of it first; null: none. Throws ServiceError when no node tells. */
  kindOf(currency: string, owner: string): Promise<PermitKind | null>
  /** The way that each currency offers its owners, for the catalogue (wire.md F.2 supportsPermit); null: none. */
  supported(currencies: readonly string[]): Promise<readonly (PermitWay | null)[]>
  /** What is to be signed. A form holds for one signature: what the chain counts (nonces) is read now. */
  form(terms: PermitTerms): Promise<PermitForm>
  /** What the owner has to send once before, with gas of its own: an allowance for Permit2; usually nothing. */
  approvals(terms: PermitTerms): Promise<PermitApprovals>
  /**
   * Whether the signature is its owner's, by its key or by the contract that it is, as `agreeing` providers say; gives it back as it is stored. Does not say
   * whether it still moves anything: `simulate` does. Throws ServiceError PERMIT_FAILED for one that is not, SERVICE_UNAVAILABLE where too few answer.
   */
  check(form: PermitForm, signature: string, options: { readonly agreeing: number }): Promise<Hex>
  /** What the network takes of the lane for bringing it in, native smallest unit. */
  fee(currency: string, kind: PermitKind): Promise<FeeQuote>
}
