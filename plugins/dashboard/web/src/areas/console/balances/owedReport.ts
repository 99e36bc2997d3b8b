import type { ShownCurrency, ShownMoney } from '../parts/money/shownMoney.js'

/** What accounts of wallets hold of a currency, smallest unit. */
export interface WalletBalance extends ShownCurrency {
  readonly free: string
  readonly reserved: string
  readonly earned: string
  readonly sponsored: string
  readonly collateral: string
  readonly claimed: string
  readonly exposure: string
}

export interface WalletBalances {
  readonly wallet: string
  readonly integrators: readonly string[]
  readonly balances: readonly WalletBalance[]
}

export interface CurrencyTotal extends Omit<WalletBalance, 'reserved'> {
  readonly owed: string
  readonly held: { readonly wallet: string; readonly depository: string } | null
  readonly why: string | null
}

/** What is read of `causeway balances --json`. */
export interface OwedReport {
  readonly at: string
  readonly wallets: readonly WalletBalances[]
  readonly more: boolean
  readonly totals: readonly CurrencyTotal[]
}

export interface ShownMovement {
  readonly at: string
  readonly context: string
  readonly cause: string
  readonly event: string
  readonly requestId: string | null
  readonly changes: readonly (ShownMoney & { readonly account: string })[]
}

/** What is read of `causeway balances <wallet> --json`. */
export interface WalletReport extends WalletBalances {
  readonly movements: readonly ShownMovement[]
}
