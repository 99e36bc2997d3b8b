import { swapRouterAbi } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import type { DirectCandidate, DirectRequest } from '@causeway/core/chain'
import { getAbiItem, toFunctionSelector } from 'viem/utils'
import type { RpcBlock, RpcTransaction } from '../rpc/wire.js'

const WORD_TEXT = 64

/** Position of the request id in the text of the calldata of sends of tokens, wraps, unwraps and swaps (`directForm`). */
const ID_AT: ReadonlyMap<string, number> = new Map([
  [toFunctionSelector('transfer(address,uint256)'), 10 + 2 * WORD_TEXT],
  [toFunctionSelector('deposit()'), 10],
  [toFunctionSelector('withdraw(uint256)'), 10 + WORD_TEXT],
  [toFunctionSelector(getAbiItem({ abi: swapRouterAbi, name: 'swapTo' })), 10 + 2 * WORD_TEXT],
])

/** The kinds of quotes that `directCandidates` finds the transactions of. */
export const WATCHED_KINDS: readonly DirectRequest['kind'][] = ['send', 'wrap', 'unwrap', 'swap']

/** Transactions of a whole block that have the form of a send, a wrap, an unwrap or a swap, with the request id that each would name. */
export const directCandidates = ({ transactions = [] }: RpcBlock): readonly DirectCandidate[] =>
  transactions.flatMap((tx) =>
    typeof tx === 'string'
      ? []
      : idsIn(tx).map((requestId) => ({
          requestId,
          tx: { id: tx.hash.toLowerCase() },
          senders: [tx.from.toLowerCase()],
        })),
  )

/** A send of native currency has the id alone, which may begin as a selector does. */
const idsIn = ({ input, value }: RpcTransaction): readonly Hex[] => {
  const starts = [ID_AT.get(input.slice(0, 10).toLowerCase()), BigInt(value) > 0n ? 2 : undefined]
  return starts.flatMap((at): Hex[] => {
    if (at === undefined || input.length < at + WORD_TEXT) return []
    return [`0x${input.slice(at, at + WORD_TEXT).toLowerCase()}`]
  })
}
