import type { Placed } from '@causeway/core/testing'
import { type AcceptedTx, type Block, type LedgerTx, STATUS } from '../engine/ledgerTx.js'
import type { Exchange } from './exchange.js'

/** A transaction that waits for a block. */
export const waitingJson = (tx: AcceptedTx, status: number) => ({
  ...{ hash: tx.hash, type: tx.type, info: tx.info, event_info: '{}', status, transaction_index: 0 },
  ...{ l1_address: tx.owner, account_index: Number(tx.account), nonce: tx.nonce, expire_at: tx.expiresAt },
  ...{ block_height: 0, queued_at: tx.acceptedAt, executed_at: 0, sequence_index: tx.sequence },
  ...{ parent_hash: '', committed_at: 0, verified_at: 0, api_key_index: tx.slot },
  transaction_time: tx.acceptedAt * 1000,
})

/** A transaction of a block. */
export const placedJson = ({ ledger, view }: Exchange, { tx, block }: Placed<LedgerTx, Block>) => {
  const status = ledger.statusOf(tx, block, view.head)
  const time = Math.max(block.time * 1000, tx.acceptedAt)
  return {
    ...waitingJson(tx, status),
    ...{ transaction_index: block.transactions.indexOf(tx), block_height: block.height },
    ...{ executed_at: time, committed_at: time, verified_at: status === STATUS.executed ? time : 0 },
  }
}
