import { eventTopics } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import type { BlockRef, DepositEvent } from '@causeway/core/chain'
import { parseAbiParameters } from 'viem/utils'
import { ZERO_ADDRESS } from '../address/addresses.js'
import { withOwners } from '../read/watch/passedOn.js'
import { type Found, foldStrays } from '../read/watch/strays.js'
import { logDataOf } from '../rpc/logData.js'
import { feeOf, hasSucceeded } from '../rpc/receipts.js'
import { type RpcLog, type RpcReceipt, type RpcTransaction, txDataOf } from '../rpc/wire.js'

/** Addresses of which a Transfer is a move of native currency: of the zkSync stack, and of EIP-7708. */
const NATIVE_LOGGERS: ReadonlySet<string> = new Set([
  '0x000000000000000000000000000000000000800a',
  '0xfffffffffffffffffffffffffffffffffffffffe',
])
const NATIVE_DEPOSIT = parseAbiParameters('address from, uint256 amount, bytes32 id')
const ERC20_DEPOSIT = parseAbiParameters('address from, address token, uint256 amount, bytes32 id')
const NO_ID: Hex = `0x${'0'.repeat(64)}`

/** A 20-byte address as a 32-byte topic. */
export const addressTopic = (address: string): Hex => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

const addressOfTopic = (topic: Hex | undefined): string => `0x${(topic ?? NO_ID).slice(-40).toLowerCase()}`

/**
 * Every deposit of a successful transaction, in log order (chains.md evm 3 and 4), from the whole receipt, so that
 * positions do not depend on which logs a page happened to show. Tokens are credited with what the Transfer log says
 * arrived; the depository's event gives id and depositor even when its amount differs (fee on transfer, F07).
 */
export const recogniseDeposits = (
  receipt: RpcReceipt,
  tx: RpcTransaction,
  depository: string,
  block: BlockRef,
): DepositEvent[] => {
  if (!hasSucceeded(receipt)) return []
  const arrived = readLogs(receipt.logs, tx, depository).filter(({ amount }) => amount > 0n)
  const shared = sharedFacts(receipt, tx, depository)
  return withOwners(foldStrays(arrived, tx.from.toLowerCase()), receipt.logs).map(
    ({ index, orderId, depositor, owner, currency, amount }, position) => ({
      ...shared,
      senders: owner === null ? [shared.txData.from] : [shared.txData.from, owner],
      // Through another contract it is not known whose native currency it was.
      source: owner ?? (shared.txData.to === depository ? shared.txData.from : null),
      state: 'included' as const,
      position,
      index,
      orderId,
      depositor,
      money: { currency, amount },
      block,
    }),
  )
}

const sharedFacts = (receipt: RpcReceipt, tx: RpcTransaction, depository: string) => ({
  tx: { id: receipt.transactionHash.toLowerCase() },
  depository,
  txData: txDataOf(tx),
  fee: feeOf(receipt, tx),
})

/** One cheap look at each log: a transaction may hold as many as the gas of a block pays for (faults.md F132). */
const readLogs = (logs: readonly RpcLog[], tx: RpcTransaction, depository: string): readonly Found[] => {
  const found: Found[] = []
  /** Places among what was found of arrivals, and of those that the depository has announced. */
  const arrivals: number[] = []
  const announced = new Set<number>()
  for (const log of logs) {
    if (log.removed === true) continue
    if (isArrival(log, depository)) {
      arrivals.push(found.length)
      found.push(readArrival(log))
      continue
    }
    if (log.address.toLowerCase() !== depository) continue
    if (log.topics[0] === eventTopics.relayNativeDeposit) found.push(readNative(log))
    const at = arrivals.at(-1)
    const last = at === undefined ? undefined : found[at]
    if (log.topics[0] !== eventTopics.relayErc20Deposit || at === undefined || last === undefined) continue
    if (announced.has(at)) continue
    const word = announcementOf(log, last)
    if (word === null) continue
    found[at] = { ...last, ...word }
    announced.add(at)
  }
  const [only] = arrivals
  const alone = only === undefined || arrivals.length > 1 || announced.has(only) ? undefined : found[only]
  if (only === undefined || alone === undefined) return found
  return found.with(only, { ...alone, orderId: trailingId(tx.input, depository, alone.amount) })
}

const readNative = (log: RpcLog): Found => {
  const [from, amount, id] = logDataOf(NATIVE_DEPOSIT, log.data)
  return {
    index: Number(log.logIndex),
    orderId: idOrNull(id),
    depositor: from.toLowerCase(),
    owner: null,
    currency: ZERO_ADDRESS,
    amount,
  }
}

/** A Transfer of any token to the depository, not from itself. */
const isArrival = ({ address, topics, data }: RpcLog, depository: string): boolean =>
  topics[0] === eventTopics.transfer &&
  topics.length === 3 &&
  data.length === 66 &&
  isAddress(topics[2], depository) &&
  !isAddress(topics[1], depository) &&
  !NATIVE_LOGGERS.has(address.toLowerCase())

/** As `addressOfTopic` would compare them, without making texts. */
const isAddress = (topic: Hex | undefined, address: string): boolean => {
  const digits = address.slice(2)
  return topic !== undefined && (topic.endsWith(digits) || topic.toLowerCase().endsWith(digits))
}

const readArrival = (log: RpcLog): Found => ({
  index: Number(log.logIndex),
  orderId: null,
  depositor: addressOfTopic(log.topics[1]),
  owner: addressOfTopic(log.topics[1]),
  currency: log.address.toLowerCase(),
  amount: BigInt(log.data),
})

/**
 * What the depository's event says of the transfer before it: the first of the same token before the next transfer counts. One of less
 * than arrived is not of that transfer, which may be another's in the same transaction (faults.md F154).
 */
const announcementOf = (log: RpcLog, { currency, amount }: Found): Pick<Found, 'orderId' | 'depositor'> | null => {
  const [from, token, asked, id] = logDataOf(ERC20_DEPOSIT, log.data)
  return token.toLowerCase() === currency && asked >= amount
    ? { orderId: idOrNull(id), depositor: from.toLowerCase() }
    : null
}

const idOrNull = (id: Hex): Hex | null => (id === NO_ID ? null : (id.toLowerCase() as Hex))

const word = (value: bigint) => value.toString(16).padStart(64, '0')

/**
 * Id appended to transfer calldata, searched anywhere in the input because smart accounts wrap calls. All matches must
 * agree and the first 16 bytes must not be zero (padding would look like an id).
 */
export const trailingId = (input: Hex, depository: string, amount: bigint): Hex | null => {
  const text = input.slice(2).toLowerCase()
  const target = `${addressTopic(depository).slice(2)}${word(amount)}`
  const ids = new Set<string>()
  for (let at = text.indexOf(target); at !== -1; at = text.indexOf(target, at + 2)) {
    const isTransfer = text.slice(at - 8, at) === 'a9059cbb'
    const isTransferFrom = text.slice(at - 72, at - 64) === '23b872dd'
    const id = text.slice(at + target.length, at + target.length + 64)
    if (at % 2 === 0 && (isTransfer || isTransferFrom) && id.length === 64) ids.add(id)
  }
  const [id] = ids
  if (id === undefined || ids.size !== 1 || id.startsWith('0'.repeat(32))) return null
  return `0x${id}`
}
