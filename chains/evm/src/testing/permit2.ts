import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Hex } from 'viem'
import { CANONICAL_PERMIT2 } from '../options.js'
import type { LocalEvmChain } from './node/localChain.js'

/**
 * Puts Permit2 where it is on public chains. Its code is that of an optional peer: false where that is not installed. The domain it was
 * deployed with is another chain's, so that it makes its own anew each time.
 */
export const placePermit2 = async (chain: Pick<LocalEvmChain, 'rpc'>): Promise<boolean> => {
  const code = permit2Code()
  if (code !== null) await chain.rpc('anvil_setCode', [CANONICAL_PERMIT2, code])
  return code !== null
}

const permit2Code = (): Hex | null => {
  const require = createRequire(import.meta.url)
  try {
    const folder = dirname(require.resolve('@1inch/solidity-utils'))
    return (require(join(folder, 'permit2.json')) as { readonly bytecode: Hex }).bytecode
  } catch {
    return null
  }
}
