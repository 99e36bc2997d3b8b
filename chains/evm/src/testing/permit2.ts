import { permit2RuntimeBytecode } from '@causeway/contracts-abi'
import { CANONICAL_PERMIT2 } from '../options.js'
import type { LocalEvmChain } from './node/localChain.js'

/**
 * Puts Permit2 at its address of public chains. Its code was deployed on another chain, so it computes its EIP-712 domain at each
 * call.
 */
export const placePermit2 = async (chain: Pick<LocalEvmChain, 'rpc'>): Promise<void> => {
  await chain.rpc('anvil_setCode', [CANONICAL_PERMIT2, permit2RuntimeBytecode])
}
