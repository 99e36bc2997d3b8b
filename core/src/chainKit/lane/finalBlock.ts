import type { ChainConfig } from '../../chain/chainPackage.js'
import type { BlockRef } from '../../chain/chainReferences.js'

type Placed = Pick<BlockRef, 'height' | 'time'>

/**
 * The newest block that is deep and old enough to stay, where a chain does not say itself what is final (chains.md, Finality values
 * seen: `settle` blocks and `settleSeconds` both hold); null while there is none. Block times need not be regular. `blockAt` gives
 * blocks of the node that showed the tip, and throws where it lacks one.
 */
export const findFinalBlock = async <Block extends Placed>(
  tip: Placed,
  { settle, settleSeconds }: Pick<ChainConfig['confirmations'], 'settle' | 'settleSeconds'>,
  blockAt: (height: bigint) => Promise<Block>,
): Promise<Block | null> => {
  const isOld = ({ time }: Placed) => tip.time - time >= settleSeconds
  let young = tip.height - BigInt(settle)
  if (young < 0n) return null
  let old = await blockAt(young)
  if (isOld(old)) return old
  for (let stride = 1n; !isOld(old); stride *= 2n) {
    if (old.height === 0n) return null
    young = old.height
    old = await blockAt(young > stride ? young - stride : 0n)
  }
  while (young - old.height > 1n) {
    const middle = await blockAt((young + old.height) / 2n)
    if (isOld(middle)) old = middle
    else young = middle.height
  }
  return old
}
