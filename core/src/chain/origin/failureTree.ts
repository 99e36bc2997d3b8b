import type { Payout } from '../laneAdapter.js'

/** One call of a transaction that would fail (wire.md 2.6, FRAME). What is not known is left out. */
export interface FailureFrame {
  /** As the chain calls it: `CALL`, `DELEGATECALL`, `CREATE` ... */
  readonly type: string
  readonly address?: string
  /** Name of the contract, where it is a known one. */
  readonly contract?: string
  /** Signature of the called function, where it is known. */
  readonly function?: string
  readonly selector?: string
  /** What the virtual machine says of it. */
  readonly error?: string
  /** What the contract says of it, in plain words. */
  readonly revertReason?: string
  /** Decimal text. */
  readonly gasUsed?: string
}

export const REVERT_TYPES = ['errorString', 'panic', 'customError', 'unknownCustomError', 'empty'] as const

/** What the contract that gave up said, decoded (wire.md 2.6 `revert`). */
export interface DecodedRevert {
  readonly type: (typeof REVERT_TYPES)[number]
  /** A word or short text to show and to tell failures apart by. */
  readonly label: string
  /** Plain words for a stranger. */
  readonly message: string
  readonly selector?: string
  readonly name?: string
  /** By name, those without one by place; values as text. */
  readonly args?: Readonly<Record<string, string>>
  /** Of an error that is not known: its arguments as they came, cut. */
  readonly rawArgsHex?: string
}

/** Where and why a transaction would fail, from outside to inside. All texts are cut and cleaned; no URL, no key. */
export interface FailureTree {
  readonly topLevel: FailureFrame
  readonly innermost: FailureFrame
  /** From `topLevel` to `innermost`; of a very deep one the outer and the innermost calls. */
  readonly path: readonly FailureFrame[]
  readonly revert: DecodedRevert
}

/**
 * Runs a payout whose simulation had this outcome and says where it fails; null: it does not, or no node tells. Of one that `simulate` lets pass it
 * looks only for what that cannot show: a part that fails without its transaction, such as a user operation. Throws ServiceError when no
 * node answers.
 */
export type ExplainFailure = (payout: Payout, simulation: { readonly ok: boolean }) => Promise<FailureTree | null>
