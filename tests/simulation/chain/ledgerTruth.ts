import type { SimBranch } from './simBranch.js'
import type { SimState } from './simState.js'
import type { SimTransfer } from './simTransaction.js'

/** What a transfer moves, and whose account pays its fee. */
export type Movement = Pick<SimTransfer, 'account' | 'from' | 'to' | 'currency' | 'amount' | 'sweep' | 'permit'>

/** A ledger as its nodes have it. */
export interface LedgerTruth {
  readonly slug: string
  readonly depository: string
  /** Least fee that blocks take now. */
  readonly fee: bigint
  /** The blocks that count now. */
  readonly branch: SimBranch
  /** What waits for a block. */
  pending(): readonly SimTransfer[]
  /** Takes signed bytes and gives their id. Throws an Error whose message is a code. */
  submit(raw: string): string
  /** Why a transfer would fail in this state, in a block of this time; null when it would not. With a fee: one that is still to be paid. */
  reasonAgainst(
    state: SimState,
    movement: Movement,
    at: { readonly time: number; readonly fee?: bigint },
  ): string | null
}
