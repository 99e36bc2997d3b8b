import { eventTopics } from '@causeway/contracts-abi'
import type { BlockRef, DirectExecution, DirectRequest } from '@causeway/core/chain'
import { type Contracts, ZERO_ADDRESS } from '../address/addresses.js'
import { addressTopic } from '../deposit/recognise.js'
import { recogniseExecutions } from '../deposit/recogniseExecutions.js'
import { feeOf, hasFailed, hasSucceeded } from '../rpc/receipts.js'
import { type RpcReceipt, type RpcTransaction, txDataOf } from '../rpc/wire.js'
import { directForm } from './directForm.js'

/** A transaction of a canonical block. */
export interface MinedTransaction {
  readonly receipt: RpcReceipt
  readonly tx: RpcTransaction
  readonly block: BlockRef
}

export const isFailed = ({ receipt }: MinedTransaction): boolean => hasFailed(receipt)

/** Whether a transaction was to carry out a request: sent by its user to where that goes, with the request id. */
export const isAttempt = ({ tx }: MinedTransaction, request: Request, contracts: Contracts): boolean =>
  request.kind === 'swap'
    ? tx.from.toLowerCase() === request.from &&
      tx.to?.toLowerCase() === contracts.swap?.router &&
      tx.input.toLowerCase().includes(request.requestId.slice(2))
    : isMove(tx, request, contracts)

/**
 * What a successful transaction did for a request; null when it did something else. Swaps are proven by the router's event, the others
 * by sender, target, amount and calldata; bytes behind the request id do not matter (wire.md G.5).
 */
export const directExecution = (
  mined: MinedTransaction,
  request: Omit<DirectRequest, 'swap' | 'fee' | 'deposits'>,
  contracts: Contracts,
): DirectExecution | null => {
  if (!hasSucceeded(mined.receipt)) return null
  return request.kind === 'swap' ? swapped(mined, request, contracts) : moved(mined, request, contracts)
}

type Request = Omit<DirectRequest, 'swap' | 'fee' | 'deposits'>

const swapped = ({ receipt, tx, block }: MinedTransaction, request: Request, { swap }: Contracts) => {
  if (swap === null) return null
  const found = recogniseExecutions(receipt, tx, swap.router, block).find(
    ({ sender, execution }) =>
      execution.requestId === request.requestId &&
      sender === request.from &&
      execution.recipient === request.recipient &&
      execution.currencyIn === request.money.currency &&
      // A token that takes a fee delivers less to the router.
      execution.amountIn <= request.money.amount &&
      execution.currencyOut === request.currencyOut,
  )
  return found?.execution ?? null
}

const moved = ({ receipt, tx, block }: MinedTransaction, request: Request, contracts: Contracts) => {
  const { requestId, recipient, money, currencyOut } = request
  const amountOut = isMove(tx, request, contracts) ? arrived(receipt, request) : 0n
  if (amountOut === 0n) return null
  return {
    requestId,
    tx: { id: receipt.transactionHash.toLowerCase() },
    block,
    currencyIn: money.currency,
    amountIn: money.amount,
    currencyOut,
    amountOut,
    recipient,
    fee: feeOf(receipt, tx),
    txData: txDataOf(tx),
  }
}

/** Sent as `directForm` makes it. */
const isMove = (tx: RpcTransaction, request: Request, contracts: Contracts): boolean => {
  const { to, data, value } = directForm(request, contracts)
  return (
    tx.from.toLowerCase() === request.from &&
    tx.to?.toLowerCase() === to &&
    BigInt(tx.value) === value &&
    tx.input.toLowerCase().startsWith(data)
  )
}

/** Of a token what its Transfer logs say arrived, which is less where it takes a fee (F07). */
const arrived = (receipt: RpcReceipt, { kind, from, recipient, money }: Request): bigint => {
  if (kind !== 'send' || money.currency === ZERO_ADDRESS) return money.amount
  const logs = receipt.logs.filter(
    ({ address, topics }) =>
      address.toLowerCase() === money.currency &&
      topics[0] === eventTopics.transfer &&
      topics[1] === addressTopic(from) &&
      topics[2] === addressTopic(recipient),
  )
  return logs.reduce((sum, { data }) => sum + (data === '0x' ? 0n : BigInt(data)), 0n)
}
