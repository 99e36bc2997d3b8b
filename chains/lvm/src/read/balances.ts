import type { BalanceQuery, Balances } from '@causeway/core/chain'
import { balancesOfOneBlock } from '@causeway/core/chain-kit'
import { askAccount } from '../rpc/accounts.js'
import { askHead } from '../rpc/blocks.js'
import type { Asked } from '../rpc/lighterNode.js'

const AT_ONCE = 20

/** As `balancesOfOneBlock`: the exchange shows balances of now only. */
export const readBalances = (asked: Asked, queries: readonly BalanceQuery[]): Promise<Balances> =>
  balancesOfOneBlock(queries, {
    newest: () => askHead(asked),
    balanceOf: async ({ address, currency }) => (await askAccount(asked, address))?.balances.get(currency) ?? 0n,
    atOnce: AT_ONCE,
  })
