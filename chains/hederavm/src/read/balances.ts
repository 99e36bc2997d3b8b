import type { BalanceQuery, Balances } from '@causeway/core/chain'
import { balancesOfOneBlock } from '@causeway/core/chain-kit'
import { NATIVE } from '../address/addresses.js'
import { askAccount, askRelation } from '../rpc/accounts.js'
import { askNewest } from '../rpc/blocks.js'
import type { Asked } from '../rpc/mirrorNode.js'

const AT_ONCE = 20

/** As `balancesOfOneBlock`: mirror nodes show balances of their newest block only. */
export const readBalances = (asked: Asked, queries: readonly BalanceQuery[]): Promise<Balances> =>
  balancesOfOneBlock(queries, {
    newest: () => askNewest(asked),
    balanceOf: async ({ address, currency }) => {
      const found = currency === NATIVE ? await askAccount(asked, address) : await askRelation(asked, address, currency)
      return found?.balance ?? 0n
    },
    atOnce: AT_ONCE,
  })
