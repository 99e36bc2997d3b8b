import { larger } from '@causeway/core'
import type { Transaction } from '@ton/core'
import { NATIVE } from '../address/addresses.js'
import { creditOf } from '../deposit/readDeposits.js'
import { paymentsIn } from '../lane/readPayment.js'
import { readRequest } from '../lane/walletRequest.js'
import { askAccount, keptByNode, PrunedError, transactionsBack } from '../read/accounts.js'
import type { Asked } from '../rpc/tonApi.js'

/** Transactions of an address that are added up: an address with more, such as one that gets much dust, counts by its balance. */
const MOST_ADDED = 200

/** Sums up to transactions of addresses. */
const keptSum = keptByNode<bigint>(10_000)

/**
 * Nanotons that users paid an address, less those that sweeps took, after a masterchain block. The balance alone lacks the rent of the account
 * and has what was left of the fees of a sweep. It counts where a node does not have all transactions.
 * @throws ServiceError where the node does not have the state
 */
export const readCredits = async (asked: Asked, address: string, height: bigint): Promise<bigint> => {
  const { balance, last } = await askAccount(asked, address, height)
  if (last === null) return 0n
  const sum = async (): Promise<bigint | null> => {
    let [held, count] = [0n, 0]
    for await (const transaction of transactionsBack(asked, address, last, 0n)) {
      count += 1
      if (count > MOST_ADDED) return null
      held += creditIn(transaction, address) - sweptBy(transaction, address)
    }
    return larger(held, 0n)
  }
  try {
    return (await keptSum(asked, `${address} ${last.lt}`, sum)) ?? balance
  } catch (error) {
    if (error instanceof PrunedError) return balance
    throw error
  }
}

const creditIn = (transaction: Transaction, depository: string): bigint => {
  const credit = creditOf(transaction, { depository, jettons: new Map(), mayBounce: true })
  return credit?.currency === NATIVE ? credit.amount : 0n
}

/** TON that the wallet sent by a request which another account carried. The TON of a transfer of jettons came with the request. */
const sweptBy = (transaction: Transaction, address: string): bigint => {
  const { inMessage } = transaction
  const request = inMessage?.info.type === 'internal' ? readRequest(inMessage.body, 'internal') : null
  return paymentsIn(transaction, request?.messages ?? [], address).reduce(
    (sum, { payment, message }) => (payment.jettons === null && message !== null ? sum + payment.amount : sum),
    0n,
  )
}
