import { type Hex, ServiceError } from '@causeway/core'
import type { BlockRef, DepositEvent } from '@causeway/core/chain'
import { NATIVE } from '../../address/addresses.js'
import { MEMO_PROGRAM } from '../../payout/memo/memoInstruction.js'
import { readOrderIds, readPayoutMemo } from '../../payout/memo/memoText.js'
import type { RpcTransaction } from '../../rpc/wire.js'
import { type Arrival, arrivalsOf } from './arrivals.js'
import { programDeposits, shareArrival } from './programDeposits.js'
import { type TransactionView, viewTransaction } from './transactionView.js'

interface Credit {
  readonly currency: string
  readonly amount: bigint
  readonly index: number | null
  readonly orderId: Hex | null
  readonly depositor: string | null
  /** Whose money it was; null where no instruction says. */
  readonly source: string | null
}

/**
 * Every deposit of a successful transaction (chains.md svm 3 and 4), in order of the instructions that made them. What
 * arrived is the difference of the depository's balances; only who sent it and for which order is read from instructions.
 * With `program`, the order id is an argument of its deposits and `depository` is its vault; without, it is the memo's.
 * Throws ServiceError when the node's answer is no transaction.
 */
export const recogniseDeposits = (
  transaction: RpcTransaction,
  depository: string,
  program: string | null,
  block: BlockRef,
): DepositEvent[] => {
  try {
    return recognise(transaction, depository, program, block)
  } catch (cause) {
    throw new ServiceError('RPC_HTTP_ERROR', 'A node of this chain shows a transaction that cannot be read.', { cause })
  }
}

const recognise = (
  transaction: RpcTransaction,
  depository: string,
  program: string | null,
  block: BlockRef,
): DepositEvent[] => {
  const view = viewTransaction(transaction)
  if (view === null) return []
  const arrivals = arrivalsOf(view, depository)
  if (arrivals.length === 0) return []
  const credits = program === null ? memoCredits(view, arrivals) : programCredits(view, arrivals, program, depository)
  return inOrder(credits, view.instructions.length).map(
    ({ currency, amount, index, orderId, depositor, source }, position) => ({
      state: 'included' as const,
      tx: { id: view.id },
      position,
      index,
      orderId,
      depositor: depositor ?? view.feePayer,
      senders: source === null ? [view.feePayer] : [view.feePayer, source],
      source,
      depository,
      money: { currency, amount },
      block,
      txData: {
        from: view.feePayer,
        to: depository,
        data: `0x${Buffer.from(view.instructions[index]?.data ?? []).toString('hex')}`,
        value: currency === NATIVE ? amount.toString() : '0',
      },
      fee: BigInt(view.meta.fee),
    }),
  )
}

/**
 * One deposit for each currency, all for the one order that the memos name; none or two name no order. The memo of a sweep says who is
 * credited: the money is that of a deposit address, which nobody is.
 */
const memoCredits = (view: TransactionView, arrivals: readonly Arrival[]): Credit[] => {
  const texts = view.instructions
    .filter(({ program }) => program === MEMO_PROGRAM)
    .map(({ data }) => Buffer.from(data).toString('utf8'))
  const ids = new Set(texts.flatMap(readOrderIds))
  const [id] = ids
  const orderId = ids.size === 1 && id !== undefined ? id : null
  const swept = texts.flatMap((text) => readPayoutMemo(text)?.depositor ?? [])
  const credited = orderId !== null && swept.length === 1 ? (swept[0] ?? null) : null
  return arrivals.map(({ currency, amount, index, source }) => ({
    currency,
    amount,
    index,
    orderId,
    depositor: credited ?? source,
    source,
  }))
}

const programCredits = (
  view: TransactionView,
  arrivals: readonly Arrival[],
  program: string,
  vault: string,
): Credit[] => {
  const deposits = programDeposits(view, program, vault)
  return arrivals.flatMap(({ currency, amount, index, source }): Credit[] => {
    const own = deposits.filter((deposit) => deposit.currency === currency)
    const { amounts, rest } = shareArrival(own, amount)
    const credits = own.map((deposit, at): Credit => ({ ...deposit, amount: amounts[at] ?? 0n }))
    return [...credits, { currency, amount: rest, index, orderId: null, depositor: source, source }]
  })
}

/** Positions follow the instructions. Two never share an index: the on-chain id is made of it. */
const inOrder = (credits: readonly Credit[], instructions: number): (Credit & { readonly index: number })[] => {
  const taken = new Set<number>()
  const place = (index: number | null): number => {
    let free = index ?? instructions
    for (; taken.has(free); free = Math.max(free + 1, instructions));
    taken.add(free)
    return free
  }
  return credits
    .filter(({ amount }) => amount > 0n)
    .map((credit) => ({ ...credit, index: place(credit.index) }))
    .sort((left, right) => left.index - right.index)
}
