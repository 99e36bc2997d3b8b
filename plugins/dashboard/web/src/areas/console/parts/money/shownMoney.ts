/** An amount in JSON of a command; symbol and decimals are null where nobody knows the currency. */
export interface ShownMoney {
  readonly chainId: number
  readonly currency: string
  readonly symbol: string | null
  readonly decimals: number | null
  /** Decimal text in the smallest unit. */
  readonly amount: string
}

export type ShownCurrency = Omit<ShownMoney, 'amount'>

export const isZero = (amount: string): boolean => BigInt(amount) === 0n
