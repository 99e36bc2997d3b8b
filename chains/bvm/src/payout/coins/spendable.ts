import { COINBASE_MATURITY, type Coin, outpointText } from './coin.js'

export interface SpendingRules {
  readonly tip: bigint
  /** Outpoints, as `outpointText` writes them, that something else is going to spend. */
  readonly locked: ReadonlySet<string>
  /** Transactions of our own, whose change may be spent before it is in a block. */
  readonly own: ReadonlySet<string>
}

/**
 * Coins that may be spent now: not locked, mature, and in a block unless they come from a transaction of our own. A stranger's
 * unconfirmed coin can be taken away by him, and our payment with it.
 */
export const spendable = <C extends Coin>(coins: readonly C[], { tip, locked, own }: SpendingRules): readonly C[] =>
  coins.filter((coin) => {
    if (locked.has(outpointText(coin))) return false
    if (coin.height === null) return own.has(coin.txId)
    return coin.coinbase !== true || tip - coin.height + 1n >= COINBASE_MATURITY
  })
