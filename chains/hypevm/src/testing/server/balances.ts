import { formatAmount } from '@causeway/core'
import { PERPS_DECIMALS } from '../engine/amounts.js'
import { accountIn, balanceIn, perpsOf, type State, spotOf } from '../engine/state.js'
import type { SpotTokens } from '../engine/tokens.js'

/** An account on a node, at its newest block. */
export interface ShownAccount {
  readonly state: State
  readonly tokens: SpotTokens
  readonly user: string
}

const amountsOf = (accountValue: string) => ({
  ...{ accountValue, totalNtlPos: '0.0' },
  ...{ totalRawUsd: accountValue, totalMarginUsed: '0.0' },
})

/** Answer of `clearinghouseState`: nothing of a unified account, whose balances are in spot. */
export const clearinghouseState = ({ state, tokens, user }: ShownAccount, dex: string, time: number) => {
  const { amount, held } = balanceIn(state, user, perpsOf(dex))
  // Perps balances are multiples of 10^-6.
  const textOf = (units: bigint) =>
    formatAmount(units / 10n ** BigInt(tokens.usdc.weiDecimals - PERPS_DECIMALS), PERPS_DECIMALS)
  return {
    ...{ marginSummary: amountsOf(textOf(amount)), crossMarginSummary: amountsOf(textOf(amount)) },
    ...{ crossMaintenanceMarginUsed: '0.0', withdrawable: textOf(amount - held), assetPositions: [], time },
  }
}

/** Answer of `spotClearinghouseState`: also tokens that an account held once. */
export const spotState = ({ state, tokens, user }: ShownAccount) => ({
  balances: tokens.all.flatMap(({ name, tokenId, index, weiDecimals }) => {
    const { index: entry, amount, held } = balanceIn(state, user, spotOf(tokenId))
    if (state.get(entry) === undefined) return []
    const [total, hold] = [formatAmount(amount, weiDecimals), formatAmount(held, weiDecimals)]
    return [{ coin: name, token: index, total, hold, entryNtl: '0.0' }]
  }),
})

/** Answer of `userAbstraction`. */
export const abstractionOf = ({ state, user }: ShownAccount): string =>
  accountIn(state, user)?.isUnified === true ? 'unifiedAccount' : 'default'
