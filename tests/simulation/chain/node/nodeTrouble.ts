import type { Hex } from '@causeway/core'

/** What a node says that is not so. */
export type NodeLie =
  /** Lists a transfer that nobody made, in the block after the newest one of the moment in which the lie began. */
  | { readonly kind: 'invents-deposit'; readonly deposit: InventedDeposit }
  /** Does not show these transfers, or none at all. */
  | { readonly kind: 'hides'; readonly of: 'all' | readonly string[] }
  /** Its newest block is so many further. */
  | { readonly kind: 'invents-height'; readonly ahead: number }
  /** Shows every transfer with so much more, or less. */
  | { readonly kind: 'alters-amounts'; readonly by: bigint }
  /** Shows what waits as if it were in a block. */
  | { readonly kind: 'invents-fate'; readonly status: 'success' | 'failed' }
  /** Above this height it has other blocks than everybody else, with nothing in them. */
  | { readonly kind: 'fork'; readonly since: number }

/** What keeps a node from serving well; it goes on until another one is set. */
export type NodeTrouble =
  | { readonly kind: 'none' }
  /** So many blocks behind. */
  | { readonly kind: 'lags'; readonly blocks: number }
  /** Shows the ledger for ever as it is at the moment in which this is set, or was up to that height; it still passes on what is sent. */
  | { readonly kind: 'stands'; readonly height?: number }
  /** Never answers, and does nothing. */
  | { readonly kind: 'silent' }
  /** Answers after up to so long. */
  | { readonly kind: 'slow'; readonly mostMs: number }
  /** Takes no connection. */
  | { readonly kind: 'refuses' }
  /** Does what it is asked, and the answer is lost on the way. */
  | { readonly kind: 'loses'; readonly what: 'submits' | 'reads' | 'all' }
  /** Takes what is sent, and answers with this error: INTERNAL unless told. */
  | { readonly kind: 'errs'; readonly message?: string }
  /** Says that it took what is sent, and forgets it. */
  | { readonly kind: 'forgets' }
  /** Takes and shows what is sent, and tells nobody else; with `late` it passes it on once this trouble is over. */
  | { readonly kind: 'keeps'; readonly late: boolean }
  | NodeLie

export interface InventedDeposit {
  readonly from: string
  /** The depository unless told. */
  readonly to?: string
  readonly currency: string
  readonly amount: bigint
  /** The order that it names. */
  readonly memo: Hex | string
}

const LIES: ReadonlySet<string> = new Set<NodeLie['kind']>([
  'invents-deposit',
  'hides',
  'invents-height',
  'alters-amounts',
  'invents-fate',
  'fork',
])

/** Whether a node with this trouble shows what is not so: only a minority of a chain's nodes may. */
export const isLie = (trouble: NodeTrouble): trouble is NodeLie => LIES.has(trouble.kind)
