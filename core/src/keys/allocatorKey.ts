import type { Signer } from '../chain/signer.js'
import type { Keys } from '../container/coreTokens.js'

/**
 * The allocator of a chain: its own, else the one of all chains that sign as its payout key does. Null where this process
 * has none.
 */
export const allocatorOf = (keys: Keys, chainId: number): Signer | null => {
  if (keys.has(`allocator.${chainId}`)) return keys.signer(`allocator.${chainId}`)
  if (!keys.has('allocator')) return null
  const common = keys.signer('allocator')
  const own = keys.has(`payout.${chainId}`) ? keys.signer(`payout.${chainId}`) : null
  return own === null || own.scheme === common.scheme ? common : null
}
