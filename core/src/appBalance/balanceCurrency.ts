import { token } from '../container/tokens.js'

/** The currency in which wallets are owed what they earn and pay for what they sponsor (wire.md D.7): a dollar that the solver holds. */
export interface BalanceCurrency {
  readonly chainId: number
  /** Canonical address. */
  readonly address: string
}

/** Null: this deployment keeps no balances. */
export const BALANCE_CURRENCY = token<BalanceCurrency | null>('core/BalanceCurrency')
