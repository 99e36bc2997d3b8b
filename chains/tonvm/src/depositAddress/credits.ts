import { larger } from '@causeway/core'
import type { Transaction } from '@ton/core'
import { NATIVE } from '../address/addresses.js'
import { creditOf } from '../deposit/readDeposits.js'
import { messagesOf, readPayment } from '../lane/readPayment.js'
import { readRequest } from '../lane/walletRequest.js'
import { askAccount, PrunedError, transactionsBack } from '../read/accounts.js'
import type { Asked } from '../rpc/tonApi.js'

/** Transactions of an address that are added up: an address with more, such as one that gets much dust, counts by its balance. */
const MOST_ADDED = 200

/**
 * Nanotons that users paid an address, less those that sweeps took, after a masterchain block. The balance alone lacks the rent of the account
 * and has what was left of the fees of a sweep. It counts where a node does not have all transactions.
 * @throws ServiceError where the node does not have the state
 */
export const readCredits = async (asked: Asked, address: string, height: bigint): Promise<bigint> => {
  const { balance, last } = await askAccount(asked, address, height)
  if (last === null) return 0n
  const known = knownBy.get(asked) ?? new Map<string, Sum>()
  knownBy.set(asked, known)
  const before = known.get(address) ?? NOTHING
  let { held, count } = before.lt <= last.lt ? before : NOTHING
  try {
    for await (const transaction of transactionsBack(asked, address, last, before.lt <= last.lt ? before.lt : 0n)) {
      count += 1
      if (count > MOST_ADDED) return balance
      held += creditIn(transaction, address) - sweptBy(transaction, address)
    }
  } catch (error) {
    if (error instanceof PrunedError) return balance
    throw error
  }
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(address, { lt: last.lt, held, count })
  return larger(held, 0n)
}

/** Sum of the transactions of an address up to a logical time, which never changes. */
interface Sum {
  readonly lt: bigint
  readonly held: bigint
  readonly count: number
}

const NOTHING: Sum = { lt: 0n, held: 0n, count: 0 }
/** Sums kept of each node, so that a later look reads new transactions alone. */
const MOST_KNOWN = 10_000
const knownBy = new WeakMap<Asked, Map<string, Sum>>()

const NO_JETTONS = new Map<string, string>()

const creditIn = (transaction: Transaction, depository: string): bigint => {
  const credit = creditOf(transaction, { depository, jettons: NO_JETTONS, mayBounce: true })
  return credit?.currency === NATIVE ? credit.amount : 0n
}

/** TON that the wallet sent by a request which another account carried. The TON of a transfer of jettons came with the request. */
const sweptBy = (transaction: Transaction, address: string): bigint => {
  const { inMessage } = transaction
  const request = inMessage?.info.type === 'internal' ? readRequest(inMessage.body, 'internal') : null
  const payments = (request?.messages ?? []).map((message) => readPayment(message, address))
  const messages = messagesOf(transaction, payments)
  return payments.reduce(
    (sum, payment, at) => (payment !== null && payment.jettons === null && messages[at] ? sum + payment.amount : sum),
    0n,
  )
}
