import { eventTopics } from '@causeway/contracts-abi'
import type { BlockRef, DepositEvent, Hex } from '@causeway/core'
import { decodeAbiParameters, parseAbiParameters } from 'viem/utils'
import { ZERO_ADDRESS } from '../contracts/addresses.js'
import { feeOf, type RpcLog, type RpcReceipt, type RpcTransaction, txDataOf } from '../rpc/wire.js'

/** zkSync-stack chains log moves of native currency as Transfer of this address. */
const NATIVE_LOGGER = '0x000000000000000000000000000000000000800a'
const NATIVE_DEPOSIT = parseAbiParameters('address from, uint256 amount, bytes32 id')
const ERC20_DEPOSIT = parseAbiParameters('address from, address token, uint256 amount, bytes32 id')
const NO_ID: Hex = `0x${'0'.repeat(64)}`

/** A 20-byte address as a 32-byte topic. */
export const addressTopic = (address: string): Hex => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

const addressOfTopic = (topic: Hex | undefined): string => `0x${(topic ?? NO_ID).slice(-40).toLowerCase()}`

interface Found {
  readonly index: number
  readonly orderId: Hex | null
  readonly depositor: string
  readonly currency: string
  readonly amount: bigint
}

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
  if (BigInt(receipt.status) !== 1n) return []
  const found = receipt.logs.flatMap((log, at) => {
    if (log.removed === true) return []
    return readNative(log, depository) ?? readToken(receipt.logs, at, tx, depository) ?? []
  })
  const shared = sharedFacts(receipt, tx, depository)
  return found
    .filter((deposit) => deposit.amount > 0n)
    .map(({ index, orderId, depositor, currency, amount }, position) => ({
      ...shared,
      state: 'included' as const,
      position,
      index,
      orderId,
      depositor,
      money: { currency, amount },
      block,
    }))
}

const sharedFacts = (receipt: RpcReceipt, tx: RpcTransaction, depository: string) => ({
  tx: { id: receipt.transactionHash.toLowerCase() },
  depository,
  txData: txDataOf(tx),
  fee: feeOf(receipt),
})

const readNative = (log: RpcLog, depository: string): Found[] | null => {
  if (log.address.toLowerCase() !== depository || log.topics[0] !== eventTopics.relayNativeDeposit) return null
  const [from, amount, id] = decodeAbiParameters(NATIVE_DEPOSIT, log.data)
  return [
    {
      index: Number(log.logIndex),
      orderId: idOrNull(id),
      depositor: from.toLowerCase(),
      currency: ZERO_ADDRESS,
      amount,
    },
  ]
}

/** A Transfer of any token to the depository, not from itself. */
const isArrival = (log: RpcLog, depository: string): boolean =>
  log.topics[0] === eventTopics.transfer &&
  log.topics.length === 3 &&
  log.data.length === 66 &&
  log.address.toLowerCase() !== NATIVE_LOGGER &&
  addressOfTopic(log.topics[2]) === depository &&
  addressOfTopic(log.topics[1]) !== depository

const readToken = (logs: readonly RpcLog[], at: number, tx: RpcTransaction, depository: string): Found[] | null => {
  const log = logs[at]
  if (log === undefined || !isArrival(log, depository)) return null
  const currency = log.address.toLowerCase()
  const amount = BigInt(log.data)
  const sender = addressOfTopic(log.topics[1])
  const arrival = { index: Number(log.logIndex), currency, amount }
  const announced = announcementOf(logs, at, currency, depository)
  if (announced !== null) return [{ ...arrival, ...announced }]
  const alone = logs.filter((other) => isArrival(other, depository)).length === 1
  const orderId = alone ? trailingId(tx.input, depository, amount) : null
  return [{ ...arrival, orderId, depositor: sender }]
}

/** The depository's event for the transfer at `at`: the first of the same token before the next transfer to it. */
const announcementOf = (logs: readonly RpcLog[], at: number, currency: string, depository: string) => {
  for (const log of logs.slice(at + 1)) {
    if (isArrival(log, depository)) return null
    if (log.address.toLowerCase() !== depository || log.topics[0] !== eventTopics.relayErc20Deposit) continue
    const [from, token, , id] = decodeAbiParameters(ERC20_DEPOSIT, log.data)
    if (token.toLowerCase() !== currency) continue
    return { orderId: idOrNull(id), depositor: from.toLowerCase() }
  }
  return null
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
