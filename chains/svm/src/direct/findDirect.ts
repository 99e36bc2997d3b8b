import { ServiceError } from '@causeway/core'
import type { BlockRef, DirectExecution, DirectFailure, DirectRequest } from '@causeway/core/chain'
import { NATIVE } from '../address/addresses.js'
import { lamportsGained, type TransactionView, viewTransaction } from '../deposit/recognise/transactionView.js'
import { programsOf, tokensGained } from '../lane/transactionFacts.js'
import { readTransactionError } from '../payout/failure/transactionError.js'
import { MEMO_PROGRAM } from '../payout/memo/memoInstruction.js'
import { readOrderIds } from '../payout/memo/memoText.js'
import type { RpcTransaction } from '../rpc/wire.js'
import { WRAPPED_SOL } from '../swap/wrappedSol.js'

type Request = Omit<DirectRequest, 'swap' | 'fee' | 'deposits'>

/**
 * What a transaction did for a request; null when it failed or did something else. Its memos must name the request and no
 * other; who lost and who gained what is read from balances alone.
 * @throws ServiceError when the node's answer is no transaction
 */
export const directExecution = (
  transaction: RpcTransaction,
  block: BlockRef,
  request: Request,
): DirectExecution | null => {
  try {
    return read(transaction, block, request)
  } catch (cause) {
    throw new ServiceError('RPC_HTTP_ERROR', 'A node of this chain shows a transaction that cannot be read.', { cause })
  }
}

/** What became of a transaction of the user that names the request and failed; null for any other. */
export const directFailure = (transaction: RpcTransaction, block: BlockRef, request: Request): DirectFailure | null => {
  const { meta } = transaction
  if (meta.err === null || meta.err === undefined) return null
  // Nothing of it happened; only who signed and what it names is read.
  const view = viewTransaction({ ...transaction, meta: { ...meta, err: null } })
  if (view === null || view.feePayer !== request.from || !names(view, request.requestId)) return null
  const context = { programs: programsOf(transaction), logs: meta.logMessages ?? null, depository: null }
  return {
    failed: true,
    requestId: request.requestId,
    tx: { id: view.id },
    block,
    fee: BigInt(meta.fee),
    txData: txDataOf(view, request),
    reason: readTransactionError(meta.err, context).text,
  }
}

const txDataOf = ({ instructions }: TransactionView, { from, recipient, money }: Request) => ({
  from,
  to: recipient,
  data: `0x${Buffer.from(instructions[0]?.data ?? []).toString('hex')}`,
  value: money.currency === NATIVE ? money.amount.toString() : '0',
})

const read = (transaction: RpcTransaction, block: BlockRef, request: Request): DirectExecution | null => {
  const view = viewTransaction(transaction)
  if (view === null || !names(view, request.requestId)) return null
  const { requestId, from, recipient, money, currencyOut, kind } = request
  const lost = -gained(view, from, money.currency, kind)
  const amountOut = gained(view, recipient, currencyOut, kind)
  // A mint may keep a fee of what is sent; wrapping and lamports lose nothing on the way.
  const exact = kind !== 'swap' && (kind !== 'send' || money.currency === NATIVE)
  if (lost < money.amount || amountOut < (exact ? money.amount : 1n)) return null
  return {
    requestId,
    tx: { id: view.id },
    block,
    currencyIn: money.currency,
    // Of lamports rent was lost beside it.
    amountIn: money.currency === NATIVE ? money.amount : lost,
    currencyOut,
    amountOut,
    recipient,
    fee: BigInt(view.meta.fee),
    txData: txDataOf(view, request),
  }
}

const names = ({ instructions }: TransactionView, requestId: string): boolean => {
  const memos = instructions.filter(({ program }) => program === MEMO_PROGRAM)
  const ids = new Set(memos.flatMap(({ data }) => readOrderIds(Buffer.from(data).toString('utf8'))))
  const [id] = ids
  return ids.size === 1 && id === requestId.toLowerCase()
}

/** What an owner gained of a currency, the network's fee left out of account. */
const gained = (view: TransactionView, owner: string, currency: string, kind: Request['kind']): bigint => {
  if (currency !== NATIVE) return tokensGained(view.meta, owner, currency)
  const fee = view.feePayer === owner ? BigInt(view.meta.fee) : 0n
  // A swap of lamports closes the owner's wrapped account, whatever else was in it.
  const wrapped = kind === 'swap' ? wrappedGained(view, owner) : 0n
  return lamportsGained(view, owner) + wrapped + fee
}

const wrappedGained = ({ meta }: TransactionView, owner: string): bigint => {
  const shown = [...meta.preTokenBalances, ...meta.postTokenBalances]
  const own = shown.filter((balance) => balance.owner === owner && balance.mint === WRAPPED_SOL.address)
  return [...new Set(own.map(({ accountIndex }) => accountIndex))].reduce(
    (sum, at) => sum + BigInt(meta.postBalances[at] ?? 0) - BigInt(meta.preBalances[at] ?? 0),
    0n,
  )
}
