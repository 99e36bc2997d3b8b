import type { Json } from '../chain/json.js'

/** What one account gained, or lost where it is negative, by a transaction; smallest unit, the network's fee left out. */
export interface BalanceMove {
  readonly address: string
  readonly currency: string
  readonly difference: bigint
}

/** Money that went from one account to another; a side that is not known is left out. */
export const moveOf = (
  from: string | null,
  to: string | null,
  { currency, amount }: { readonly currency: string; readonly amount: bigint },
): readonly BalanceMove[] => [
  ...(from === null ? [] : [{ address: from, currency, difference: -amount }]),
  ...(to === null ? [] : [{ address: to, currency, difference: amount }]),
]

/** `stateChanges` of a record's transaction (wire.md 3.1 TX); what did not change is left out. */
export const stateChangesOf = (moves: readonly BalanceMove[]): Json =>
  moves
    .filter(({ difference }) => difference !== 0n)
    .map(({ address, currency, difference }) => ({
      address,
      change: {
        kind: 'token',
        balanceDiff: difference.toString(),
        data: { tokenKind: 'ft', tokenAddress: currency },
      },
    }))
