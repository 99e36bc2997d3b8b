import { CallError, type Placed } from '@causeway/core/testing'
import type { ExchangeBlock, ExchangeTx } from '../engine/exchangeTx.js'
import { addressIn, type ExchangeNode, hashIn, numberIn, type Request } from './request.js'

type Found = Placed<ExchangeTx, ExchangeBlock>

/** Blocks that the explorer has at hand; older ones are archived. */
const RECENT_BLOCKS = 100
const DAY = 86_400_000
const TOO_MANY = 429

const shownTx = ({ tx: { action, error, hash, time, user }, block }: Found) => ({
  ...{ action, block: block.height, error, hash, time, user },
})

/** Archived blocks that may be queried in a day. */
export class Archive {
  readonly #queried = new Map<number, number>()
  most = 100

  /** @throws CallError if the block is archived and the limit is reached */
  open({ height }: ExchangeBlock, { view, engine: { blocks } }: ExchangeNode): void {
    if (view.head.height - height < RECENT_BLOCKS) return
    for (const [queried, at] of this.#queried) if (at < blocks.nowMs - DAY) this.#queried.delete(queried)
    if (!this.#queried.has(height) && this.#queried.size >= this.most)
      throw new CallError(TOO_MANY, `More than ${this.most} archived blocks queried in one day`)
    this.#queried.set(height, blocks.nowMs)
  }
}

/** Answers of the explorer, whose archive all nodes share. */
export const explorerMethods = (archive: Archive) => ({
  txDetails: (node: ExchangeNode, request: Request) => {
    const found = node.view.find(hashIn(request))
    if (found === null) return { type: 'error', message: 'tx not found' }
    archive.open(found.block, node)
    return { type: 'txDetails', tx: shownTx(found) }
  },
  userDetails: ({ view }: ExchangeNode, request: Request) => {
    const user = addressIn(request, 'user')
    return {
      type: 'userDetails',
      txs: view
        .history(user)
        .filter(({ tx }) => tx.user === user)
        .map(shownTx)
        .reverse(),
    }
  },
  blockDetails: (node: ExchangeNode, request: Request) => {
    const block = node.view.block(numberIn(request, 'height', 0))
    if (block === null) return { type: 'error', message: 'block not found' }
    archive.open(block, node)
    const { timeMs, hash, height, transactions } = block
    const txs = transactions.map((tx) => shownTx({ tx, block }))
    const shown = {
      blockTime: timeMs,
      hash: `0x${hash}`,
      height,
      numTxs: txs.length,
      proposer: `0x${'0'.repeat(40)}`,
      txs,
    }
    return { type: 'blockDetails', blockDetails: shown }
  },
})
