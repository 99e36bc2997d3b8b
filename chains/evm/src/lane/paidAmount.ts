import { eventTopics } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import type { AttemptState, Payout } from '@causeway/core/chain'
import type { RpcCall, RpcOutcome } from '@causeway/core/chain-kit'
import { resultOf } from '@causeway/core/chain-kit'
import { parseAbiParameters } from 'viem/utils'
import { type Contracts, ZERO_ADDRESS } from '../address/addresses.js'
import { addressTopic } from '../deposit/recognise.js'
import { receiverOf } from '../payout/contracts/permitRouter.js'
import { encodeBalanceOf } from '../payout/contracts/staticCall.js'
import { isComposed } from '../payout/payoutForm.js'
import { firstWord } from '../read/balances.js'
import { logDataOf } from '../rpc/logData.js'
import { quantity, type RpcLog, type RpcReceipt } from '../rpc/wire.js'

const NATIVE_DEPOSIT = parseAbiParameters('address from, uint256 amount, bytes32 id')
const NATIVE_TRANSFER = parseAbiParameters('address to, uint256 amount')

/**
 * What reached the recipient, from the logs of a transaction that succeeded; for plain native payments its value. Null where the
 * logs cannot tell, as of a contract that is not configured any more.
 */
export const paidBy = (
  receipt: RpcReceipt,
  payout: Payout,
  txData: AttemptState['txData'],
  contracts: Contracts,
): bigint | null => {
  const { currency, amount } = payout.money
  const to = payout.to.address.toLowerCase()
  if (payout.purpose === 'sweep') {
    const from = payout.sweep?.address.destination.address.toLowerCase() ?? null
    return sweptBy(receipt, { currency, orderId: payout.orderId, from }, contracts)
  }
  if (payout.purpose === 'origin') return broughtIn(receipt, payout, contracts)
  // Had the calls not had the whole amount at their disposal, the router would have reverted.
  if (payout.calls.length > 0) return payout.swap?.minimumOut ?? amount
  // Nothing moves: that it succeeded is all there is.
  if (payout.purpose === 'approve') return null
  if (payout.swap !== undefined) return swappedTo(receipt, to, payout.swap.offer.to, payout.topup ?? 0n, contracts)
  if (currency !== ZERO_ADDRESS) return tokensTo(receipt, currency, to)
  const target = receipt.to?.toLowerCase()
  if (payout.purpose === 'withdraw') return target === contracts.depository ? amount : null
  if (target === contracts.fillRouter) return isComposed(payout) ? amount : routedTo(receipt, to, target)
  return target !== to || txData === null ? null : BigInt(txData.value)
}

/** What the depository got of a signed deposit; a call brings nothing that could be told. */
const broughtIn = (receipt: RpcReceipt, { permit }: Payout, { depository, permits }: Contracts): bigint | null => {
  if (permit === undefined) return null
  const { money, owner } = permit.terms
  const through = permits === null ? [] : [permits.router, receiverOf(permit.terms, permits.router)]
  const sources = new Set([owner.toLowerCase(), ...through].map(addressTopic))
  const target = addressTopic(depository)
  return sumOf(receipt, money.currency.toLowerCase(), ([, from, to]) => to === target && sources.has(from as Hex))
}

/** What a sweep really brought the depository of a currency, from one address; null: whatever address. */
export const sweptBy = (
  receipt: RpcReceipt,
  swept: { readonly currency: string; readonly orderId: Hex; readonly from: string | null },
  { depository }: Pick<Contracts, 'depository'>,
): bigint => {
  const { currency, orderId, from } = swept
  const target = addressTopic(depository)
  if (currency !== ZERO_ADDRESS) {
    const source = from === null ? null : addressTopic(from)
    return sumOf(receipt, currency, ([, of, to]) => to === target && (source === null || of === source))
  }
  return receipt.logs
    .filter(
      ({ address, topics }) => address.toLowerCase() === depository && topics[0] === eventTopics.relayNativeDeposit,
    )
    .map(({ data }) => logDataOf(NATIVE_DEPOSIT, data))
    .reduce((sum, [, amount, id]) => (id.toLowerCase() === orderId.toLowerCase() ? sum + amount : sum), 0n)
}

/**
 * What the token took beside what arrived: of the payer, all that it sent where nothing arrived; of a withdrawal on its way. Absent:
 * nothing that its logs show.
 */
export const takenBy = (receipt: RpcReceipt, payout: Payout): { readonly currencyFee?: bigint } => {
  const { purpose, from, to, money, calls } = payout
  // These take nothing of the lane.
  if (purpose === 'sweep' || purpose === 'origin') return {}
  if (money.currency === ZERO_ADDRESS || calls.length > 0 || payout.swap !== undefined) return {}
  const received = tokensTo(receipt, money.currency, to.address.toLowerCase())
  const paid = received === 0n ? 0n : money.amount
  const sent = sumOf(receipt, money.currency, (topics) => topics[1] === addressTopic(from.toLowerCase()))
  const fee = purpose === 'withdraw' ? paid - received : sent - paid
  return fee > 0n ? { currencyFee: fee } : {}
}

/**
 * What the calls of a payment left for its recipient, and brought it, of a token. Absent: no calls, or native currency, of which no
 * log tells.
 */
export const receivedBy = (receipt: RpcReceipt, payout: Payout): { readonly received?: bigint } => {
  const { calls, swap, money, to } = payout
  const token = swap?.offer.to ?? money.currency
  if (calls.length === 0 || token === ZERO_ADDRESS) return {}
  const recipient = addressTopic(to.address.toLowerCase())
  const sent = sumOf(receipt, token, (topics) => topics[1] === recipient)
  const gained = tokensTo(receipt, token, to.address.toLowerCase()) - sent
  return { received: gained > 0n ? gained : 0n }
}

const tokensTo = (receipt: RpcReceipt, token: string, to: string): bigint =>
  sumOf(receipt, token, (topics) => topics[2] === addressTopic(to))

/** Sum of a token's transfers of a transaction that count. */
export const sumOf = ({ logs }: RpcReceipt, token: string, counts: (topics: readonly string[]) => boolean): bigint =>
  logs.reduce(
    (sum, log) =>
      log.address.toLowerCase() === token && log.topics[0] === eventTopics.transfer && counts(log.topics)
        ? sum + firstWord(log.data)
        : sum,
    0n,
  )

const swappedTo = (
  receipt: RpcReceipt,
  to: string,
  currency: string,
  topup: bigint,
  { swap }: Contracts,
): bigint | null => {
  if (currency !== ZERO_ADDRESS) return tokensTo(receipt, currency, to)
  const target = receipt.to?.toLowerCase()
  const paid = target === undefined || target !== swap?.router ? null : routedTo(receipt, to, target)
  return paid === null ? null : paid - topup
}

/** By the router's events; each payment of native currency through it has one. */
const routedTo = (receipt: RpcReceipt, to: string, router: string): bigint | null => {
  let sum: bigint | null = null
  for (const log of receipt.logs) {
    if (log.address.toLowerCase() !== router || log.topics[0] !== eventTopics.solverNativeTransfer) continue
    const [paidTo, amount] = logDataOf(NATIVE_TRANSFER, log.data)
    if (paidTo.toLowerCase() === to) sum = (sum ?? 0n) + amount
  }
  return sum
}

/**
 * Whether the recipient gained tokens in the block that no `Transfer` log of another transaction tells of: a token that moves without
 * a log has paid all the same, and nothing may be paid again because of logs alone, or of a node that hides them. Throws what the node answers when it cannot tell.
 */
export const gainedUnlogged = async (
  rpc: { batch(calls: readonly RpcCall[]): Promise<readonly RpcOutcome[]> },
  receipt: RpcReceipt,
  { to, money, swap }: Payout,
): Promise<boolean> => {
  const token = swap?.offer.to ?? money.currency
  if (token === ZERO_ADDRESS) return false
  const height = BigInt(receipt.blockNumber)
  const topic = addressTopic(to.address.toLowerCase())
  const balanceAt = (block: bigint): RpcCall => ({
    method: 'eth_call',
    params: [{ to: token, data: encodeBalanceOf(to.address) }, quantity(block)],
  })
  const logsOf = (...topics: (string | null)[]): RpcCall => ({
    method: 'eth_getLogs',
    params: [{ blockHash: receipt.blockHash, address: token, topics: [eventTopics.transfer, ...topics] }],
  })
  const [before, after, into, out] = await rpc.batch([
    balanceAt(height - 1n),
    balanceAt(height),
    logsOf(null, topic),
    logsOf(topic),
  ])
  const held = (outcome: RpcOutcome | undefined) => firstWord(resultOf<string>(outcome, 'eth_call'))
  // The transaction's own logs say nothing, or they would not be doubted.
  const byOthers = (outcome: RpcOutcome | undefined) =>
    resultOf<readonly RpcLog[]>(outcome, 'eth_getLogs')
      .filter(({ transactionHash }) => transactionHash.toLowerCase() !== receipt.transactionHash.toLowerCase())
      .reduce((sum, { data }) => sum + firstWord(data), 0n)
  return held(after) - held(before) > byOthers(into) - byOthers(out)
}
