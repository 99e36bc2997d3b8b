import { eventTopics } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import type { DepositEvent } from '@causeway/core/chain'
import { numberAt, wordAt } from '../address/abi.js'
import { addressOf, NATIVE } from '../address/addresses.js'
import type { SourceTransaction } from '../read/blockTransactions.js'
import { type TronLog, type TronTransaction, transferCallOf, transferIn, txDataOf } from '../read/transactions.js'

const NATIVE_DEPOSIT = eventTopics.relayNativeDeposit.slice(2)
const ERC20_DEPOSIT = eventTopics.relayErc20Deposit.slice(2)
const ID = /^(?!0{32})[0-9a-f]{64}$/

interface Found {
  readonly index: number
  readonly orderId: Hex | null
  /** 40 hex digits. */
  readonly depositor: string
  readonly owner: string | null
  readonly currency: string
  readonly amount: bigint
}

// CAST: 64 hex digits.
const orderIdOf = (word: string): Hex | null => (ID.test(word) ? (`0x${word}` as Hex) : null)

/**
 * Deposits of a transaction in log order (chains.md tvm 3 and 4). A token is credited with what its Transfer log says; the depository's
 * event gives order and depositor (faults.md F07).
 * @param depository - 40 hex digits
 */
export const readDeposits = (transaction: SourceTransaction, depository: string): readonly DepositEvent[] => {
  const { id, block, fee, owner, to, failure } = transaction
  if (failure !== null) return []
  const arrived = depositsIn(transaction, depository).filter(({ amount }) => amount > 0n)
  const sender = addressOf(owner)
  return arrived.map(({ index, orderId, depositor, owner: held, currency, amount }, position) => ({
    ...{ state: 'included', tx: { id }, position, index: transaction.logsBefore + index, orderId },
    depositor: addressOf(depositor),
    senders: held === null ? [sender] : [...new Set([sender, addressOf(held)])],
    // Through another contract the owner of native currency is unknown.
    source: held !== null ? addressOf(held) : to === depository ? sender : null,
    ...{ depository: addressOf(depository), money: { currency, amount }, block, fee },
    txData: txDataOf(transaction),
  }))
}

const depositsIn = (transaction: TronTransaction, depository: string): readonly Found[] => {
  const found: Found[] = []
  /** Places in `found` of transfers to the depository, and of those that its event announced. */
  const arrivals: number[] = []
  const announced = new Set<number>()
  for (const [index, log] of transaction.logs.entries()) {
    const transfer = transferIn(log)
    if (transfer !== null) {
      if (transfer.to !== depository || transfer.from === depository) continue
      arrivals.push(found.length)
      const { from, amount } = transfer
      found.push({ index, orderId: null, depositor: from, owner: from, currency: addressOf(log.address), amount })
      continue
    }
    if (log.address !== depository) continue
    if (log.topics[0] === NATIVE_DEPOSIT) found.push(nativeOf(log, index))
    const at = arrivals.at(-1)
    const last = at === undefined ? undefined : found[at]
    if (log.topics[0] !== ERC20_DEPOSIT || at === undefined || last === undefined || announced.has(at)) continue
    const announcement = announcementOf(log, last)
    if (announcement === null) continue
    found[at] = { ...last, ...announcement }
    announced.add(at)
  }
  return bareTransfer(transaction, { found, arrivals, announced, depository })
}

const nativeOf = ({ data }: TronLog, index: number): Found => ({
  ...{ index, orderId: orderIdOf(wordAt(data, 2)), depositor: wordAt(data, 0).slice(24), owner: null },
  ...{ currency: NATIVE, amount: numberAt(data, 1) },
})

/** The first event of the token before the next transfer belongs to the transfer; one of less than arrived does not (faults.md F154). */
const announcementOf = ({ data }: TronLog, { currency, amount }: Found) =>
  addressOf(wordAt(data, 1)) === currency && numberAt(data, 2) >= amount
    ? { orderId: orderIdOf(wordAt(data, 3)), depositor: wordAt(data, 0).slice(24) }
    : null

/** The id behind the calldata of a transfer counts if the transaction is that transfer itself, and the only one to the depository. */
const bareTransfer = (
  { owner, to, data, value }: TronTransaction,
  {
    found,
    arrivals,
    announced,
    depository,
  }: {
    readonly found: readonly Found[]
    readonly arrivals: readonly number[]
    readonly announced: ReadonlySet<number>
    readonly depository: string
  },
): readonly Found[] => {
  const [at] = arrivals
  const only = at === undefined ? undefined : found[at]
  if (at === undefined || only === undefined || arrivals.length > 1 || announced.has(at)) return found
  const asked = transferCallOf({ owner, data })
  const isItself = asked !== null && asked.to === depository && asked.amount >= only.amount && value === 0n
  if (!isItself || addressOf(to) !== only.currency) return found
  return found.with(at, { ...only, orderId: orderIdOf(asked.tail) })
}
