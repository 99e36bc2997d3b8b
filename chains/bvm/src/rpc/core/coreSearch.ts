import { RecentMap } from '@causeway/core'
import { type Outpoint, outpointText } from '../../payout/coins/coin.js'
import type { Spend } from '../../payout/generationState.js'
import type { RawTransaction } from '../rawTransaction.js'
import { wholeOf } from '../readAnswer.js'
import { hashAt, headerOf, transactionsOf } from './coreBlocks.js'
import type { CoreRpc } from './coreRpc.js'

/** Blocks that are read for one answer: more would keep everything else waiting. */
const AT_ONCE = 144
/** Blocks that are looked for at most: two weeks. */
const MAX_SEARCHED = 2016n
/** Newest blocks of an earlier search that are read again: they may have been replaced. */
const REPLACEABLE = 12n
/** Outpoints whose search is remembered. */
const MAX_REMEMBERED = 1000

/** What is known of one outpoint: blocks that were looked through in vain, or the block that holds its spender. */
type Progress =
  | { readonly low: bigint; readonly high: bigint }
  | { readonly txId: string; readonly height: bigint; readonly hash: string }

/**
 * Who spent an outpoint, looked for in the blocks of a node that has no index of that, the newest first. A long search takes
 * several questions: each goes on where the last one ended.
 */
export class CoreSearch {
  readonly #rpc: CoreRpc
  readonly #progress = new RecentMap<string, Progress>(MAX_REMEMBERED)

  constructor(rpc: CoreRpc) {
    this.#rpc = rpc
  }

  /** Null while the spender was not come upon; `since`: the height from which on it is looked for. */
  async find(outpoint: Outpoint, since: bigint): Promise<Spend | null> {
    const key = outpointText(outpoint)
    const tip = BigInt(wholeOf(await this.#rpc.call('getblockcount')))
    const known = this.#progress.get(key)
    if (known !== undefined && 'txId' in known) {
      const { txId, height, hash } = known
      if ((await hashAt(this.#rpc, height)) === hash) return { txId, confirmations: tip - height + 1n }
    }
    const before = known === undefined || 'txId' in known ? undefined : known
    const oldest = tip - MAX_SEARCHED
    const from = since > oldest ? since : oldest
    const heights = heightsToRead(tip, from > 0n ? from : 0n, before)
    for (const height of heights) {
      const hash = await hashAt(this.#rpc, height)
      const spender =
        hash === null
          ? undefined
          : (await transactionsOf(this.#rpc, hash)).find((transaction) => spends(transaction, outpoint))
      if (hash === null || spender === undefined) continue
      // It may have left the chain while it was read.
      if ((await headerOf(this.#rpc, hash)) === null) return null
      this.#progress.set(key, { txId: spender.id, height, hash })
      return { txId: spender.id, confirmations: tip - height + 1n }
    }
    const last = heights.at(-1)
    if (last !== undefined) this.#progress.set(key, { low: lowest(last, heights, before), high: tip })
    return null
  }
}

/** True for a transaction that spends an outpoint. */
export const spends = ({ inputs }: RawTransaction, { txId, index }: Outpoint): boolean =>
  inputs.some(({ outpoint }) => outpoint?.txId === txId && outpoint.index === index)

type Range = { readonly low: bigint; readonly high: bigint }

/** The newest first; those of the search before are left out, but for its newest ones. */
const heightsToRead = (tip: bigint, from: bigint, before: Range | undefined): readonly bigint[] => {
  const heights: bigint[] = []
  for (let height = tip; height >= from && heights.length < AT_ONCE; height--) {
    if (before !== undefined && height >= before.low && height <= before.high - REPLACEABLE) height = before.low
    else heights.push(height)
  }
  return heights
}

/** Down to where all blocks below the tip were read: the search before counts once the blocks above it were. */
const lowest = (last: bigint, heights: readonly bigint[], before: Range | undefined): bigint => {
  if (before === undefined) return last
  const joined = last <= before.high - REPLACEABLE + 1n || heights.length < AT_ONCE
  return joined && before.low < last ? before.low : last
}
