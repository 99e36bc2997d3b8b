import type { ShownMoney } from '../parts/money/shownMoney.js'

export interface LedgerFinding {
  readonly check: string
  readonly rule: string
  readonly remedy: string
  readonly count: number
  readonly cases: readonly { readonly ids: readonly string[]; readonly says: string }[]
}

export type LedgerTotal = ShownMoney & { readonly account: string; readonly integratorId?: string }

/** What is read of `causeway ledger check --json`. */
export interface LedgerReport {
  readonly at: string
  readonly ok: boolean
  readonly findings: readonly LedgerFinding[]
  readonly explained: readonly {
    readonly holder: string
    readonly onChain: ShownMoney
    readonly booked: string
    readonly difference: string
    readonly why: string
  }[]
  readonly unchecked: readonly { readonly chainId: number; readonly why: string }[]
  readonly totals: readonly LedgerTotal[]
}
