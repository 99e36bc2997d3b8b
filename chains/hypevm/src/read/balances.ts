import type { BalanceQuery, Balances } from '@causeway/core/chain'
import { balancesOfOneBlock } from '@causeway/core/chain-kit'
import { SPOT } from '../address/addresses.js'
import { inPlaces, readAmount } from '../address/amounts.js'
import { askSpotBalances, askWithdrawable } from '../rpc/accounts.js'
import type { Asked } from '../rpc/exchangeNode.js'
import { askTime, blockAt } from '../rpc/status.js'
import type { Asset, Assets } from '../rpc/tokens.js'
import { amountIn } from './transfers.js'

const AT_ONCE = 10

/** As `balancesOfOneBlock`: API servers show balances of now only. Null for a currency that the exchange does not have. */
export const readBalances = (asked: Asked, queries: readonly BalanceQuery[], assets: Assets): Promise<Balances> =>
  balancesOfOneBlock(queries, {
    newest: async () => blockAt(await askTime(asked)),
    balanceOf: async ({ address, currency }) => {
      const asset = await assets.find(currency)
      return asset === null ? null : askBalance(asked, address, asset)
    },
    atOnce: AT_ONCE,
  })

/** Money of an account that can be sent now: withdrawable in perpetuals exchanges, not held by orders on the spot exchange. */
export const askBalance = async (asked: Asked, account: string, asset: Asset): Promise<bigint> => {
  const { dex, symbol, places, decimals } = asset
  if (dex !== SPOT) {
    const text = await askWithdrawable(asked, account, dex)
    return text.startsWith('-') ? 0n : amountIn(text, asset)
  }
  const held = (await askSpotBalances(asked, account)).find((balance) => balance.symbol === symbol)
  if (held === undefined) return 0n
  const free = readAmount(held.total, places) - readAmount(held.hold, places)
  return free > 0n ? inPlaces(free, places, decimals) : 0n
}
