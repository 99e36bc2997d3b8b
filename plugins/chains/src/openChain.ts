import { ServiceError } from '@causeway/core'
import type { Chain, ChainRegistry } from '@causeway/core/plugin'

/**
 * The chain a caller asks about. A private chain is as unknown as one that is not configured (wire.md K.3 8). Throws
 * ServiceError `UNSUPPORTED_CHAIN`.
 */
export const openChain = (chains: ChainRegistry, chainId: number): Chain => {
  const chain = chains.find(chainId)
  if (chain === undefined || chain.config.privateId !== undefined) {
    throw new ServiceError('UNSUPPORTED_CHAIN', 'This deployment has no such chain')
  }
  return chain
}
