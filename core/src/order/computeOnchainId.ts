import { createHash } from 'node:crypto'
import type { Hex } from '../money/hex.js'
import { OrderEncodingError } from './orderEncodingError.js'

/**
 * On-chain id of a deposit: SHA-256 of the lower-cased `<slug>:<transaction id>:<index>` (chains.md common rules 5, which
 * also says what the index is on each VM).
 * @throws OrderEncodingError on empty parts, a colon in a part, or an index that is no whole number
 */
export function computeOnchainId(slug: string, transactionId: string, index: number): Hex {
  for (const part of [slug, transactionId]) {
    if (part === '' || part.includes(':')) throw new OrderEncodingError('On-chain id: empty part or part with a colon')
  }
  if (!Number.isSafeInteger(index) || index < 0)
    throw new OrderEncodingError('On-chain id: index must be a whole number')
  return `0x${createHash('sha256').update(`${slug}:${transactionId}:${index}`.toLowerCase()).digest('hex')}`
}
