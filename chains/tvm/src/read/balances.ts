import type { BalanceQuery, Balances } from '@causeway/core/chain'
import { balancesOfOneBlock } from '@causeway/core/chain-kit'
import { NATIVE } from '../address/addresses.js'
import { askAccount } from '../rpc/accounts.js'
import { askHead } from '../rpc/blocks.js'
import { askBalanceOf } from '../rpc/contracts.js'
import type { Asked } from '../rpc/tronNode.js'

const AT_ONCE = 16

/** As `balancesOfOneBlock`: nodes show balances of their newest block only. */
export const readBalances = (asked: Asked, queries: readonly BalanceQuery[]): Promise<Balances> =>
  balancesOfOneBlock(queries, {
    newest: () => askHead(asked),
    balanceOf: async ({ address, currency }) =>
      currency === NATIVE
        ? ((await askAccount(asked, address))?.balance ?? 0n)
        : askBalanceOf(asked, currency, address),
    atOnce: AT_ONCE,
  })
