import { token } from '../../container/tokens.js'

/** A currency with everything an amount object shows of it (wire.md 0.2, K.1 11). */
export interface Currency {
  readonly chainId: number
  /** Canonical, VM-native text. */
  readonly address: string
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  readonly vmType: string
  /** The same asset on several chains shares it. */
  readonly groupId: string
  readonly metadata: { readonly logoURI: string; readonly verified: boolean; readonly isNative: boolean }
}

/** An amount in the smallest unit that never leaves its currency (invariant 5). */
export interface Money {
  readonly currency: Currency
  readonly amount: bigint
}

/** The currencies the solver holds: what can be deposited and paid out. */
export interface CurrencyRegistry {
  /** By canonical address; undefined when the solver does not hold it. */
  find(chainId: number, address: string): Currency | undefined
  native(chainId: number): Currency | undefined
  ofChain(chainId: number): readonly Currency[]
  all(): readonly Currency[]
}

export const CURRENCIES = token<CurrencyRegistry>('core/CurrencyRegistry')
