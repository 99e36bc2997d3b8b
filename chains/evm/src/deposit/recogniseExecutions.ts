import { eventTopics } from '@causeway/contracts-abi'
import type { BlockRef, DirectExecution } from '@causeway/core/chain'
import { parseAbiParameters } from 'viem/utils'
import { logDataOf } from '../rpc/logData.js'
import { feeOf, hasSucceeded } from '../rpc/receipts.js'
import { type RpcReceipt, type RpcTransaction, txDataOf } from '../rpc/wire.js'

const SWAP_EXECUTED = parseAbiParameters(
  'bytes32 id, address from, address recipient, address tokenIn, uint256 amountIn, address tokenOut, uint256 amountOut',
)

/** A direct swap and who ran it. */
export interface FoundExecution {
  readonly sender: string
  readonly execution: DirectExecution
}

/** Every direct swap of a successful transaction, by the swap router's own events, in log order. */
export const recogniseExecutions = (
  receipt: RpcReceipt,
  tx: RpcTransaction,
  swapRouter: string,
  block: BlockRef,
): FoundExecution[] => {
  if (!hasSucceeded(receipt)) return []
  const shared = {
    tx: { id: receipt.transactionHash.toLowerCase() },
    block,
    fee: feeOf(receipt, tx),
    txData: txDataOf(tx),
  }
  const own = receipt.logs.filter(
    ({ address, topics, removed }) =>
      removed !== true && address.toLowerCase() === swapRouter && topics[0] === eventTopics.swapExecuted,
  )
  return own.map(({ data }) => {
    const [id, from, recipient, tokenIn, amountIn, tokenOut, amountOut] = logDataOf(SWAP_EXECUTED, data)
    const execution: DirectExecution = {
      ...shared,
      // CAST: lower case keeps it hex.
      requestId: id.toLowerCase() as DirectExecution['requestId'],
      currencyIn: tokenIn.toLowerCase(),
      amountIn,
      currencyOut: tokenOut.toLowerCase(),
      amountOut,
      recipient: recipient.toLowerCase(),
    }
    return { sender: from.toLowerCase(), execution }
  })
}
