import { encodeApprove } from '../payout/contracts/staticCall.js'
import type { LocalAccount, LocalEvmChain } from './node/localChain.js'
import { sendMined } from './node/sendMined.js'

/**
 * Lets the routers take the tokens of `account`, as a solver must before it pays tokens within calls, swaps or beside a
 * top-up.
 */
export const allowRouters = async (
  chain: LocalEvmChain,
  account: LocalAccount,
  { tokens, routers }: { readonly tokens: readonly string[]; readonly routers: readonly string[] },
): Promise<void> => {
  for (const token of tokens) {
    for (const router of routers) {
      await sendMined(chain, account, { to: token, data: encodeApprove(router, 2n ** 256n - 1n) })
    }
  }
}
