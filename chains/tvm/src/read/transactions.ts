import { eventTopics } from '@causeway/contracts-abi'
import type { AttemptState, BlockRef } from '@causeway/core/chain'
import { numberAt } from '../address/abi.js'
import { addressOf, NATIVE } from '../address/addresses.js'
import type { InfoJson, TransactionJson } from '../rpc/transactionInfos.js'
import { messageText } from '../rpc/tronNode.js'

/** An event; addresses are 40 hex digits, topics and data hex without prefix. */
export interface TronLog {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

/** TRX that moved, or a token, by a transaction. Addresses are 40 hex digits. */
export interface Move {
  readonly from: string
  readonly to: string
  readonly amount: bigint
}

/** A transaction in a block. Addresses are 40 hex digits, data is hex without prefix. */
export interface TronTransaction {
  readonly id: string
  readonly block: BlockRef
  /** Type of its contract, such as `TransferContract`. */
  readonly kind: string
  readonly owner: string
  /** Recipient of TRX, or the contract that is called; empty for any other kind. */
  readonly to: string
  /** Sun that the owner sends to `to`. */
  readonly value: bigint
  /** Calldata. */
  readonly data: string
  readonly memo: string
  /** Unix milliseconds. */
  readonly timestamp: bigint
  readonly expiration: bigint
  /** All fees in sun. */
  readonly fee: bigint
  /** Why it failed in its block; null where it succeeded. */
  readonly failure: string | null
  /** Result of the call. */
  readonly returned: string
  readonly logs: readonly TronLog[]
  /** TRX that contracts moved. */
  readonly internal: readonly Move[]
}

const accountIn = (value: unknown): string => (typeof value === 'string' ? value.slice(-40).toLowerCase() : '')
const textIn = (value: unknown): string => (typeof value === 'string' ? value.toLowerCase() : '')
const sumIn = (value: unknown): bigint => (typeof value === 'string' && /^\d{1,20}$/.test(value) ? BigInt(value) : 0n)

/** Joins a transaction with its result. */
export const transactionOf = (json: TransactionJson, info: InfoJson, block: BlockRef): TronTransaction => {
  const [{ type: kind, parameter } = { type: '', parameter: { value: {} } }] = json.raw_data.contract
  const { owner_address, to_address, contract_address, amount, call_value, data } = parameter.value
  const failure = failureOf(info)
  return {
    ...{ id: json.txID, block, kind, owner: accountIn(owner_address), failure },
    to: accountIn(kind === 'TransferContract' ? to_address : contract_address),
    value: sumIn(kind === 'TransferContract' ? amount : call_value),
    data: textIn(data),
    memo: textIn(json.raw_data.data),
    timestamp: BigInt(json.raw_data.timestamp ?? 0),
    expiration: BigInt(json.raw_data.expiration ?? 0),
    fee: BigInt(info.fee ?? 0),
    returned: info.contractResult?.[0] ?? '',
    logs: failure === null ? (info.log ?? []).map(logOf) : [],
    internal: failure === null ? internalOf(info) : [],
  }
}

const logOf = ({ address, topics = [], data = '' }: NonNullable<InfoJson['log']>[number]): TronLog => ({
  address: accountIn(address),
  topics,
  data: data.toLowerCase(),
})

/** Words for the results by which a call fails after it was included (chains.md tvm 4). */
const FAILURES: ReadonlyMap<string, string> = new Map([
  ['REVERT', 'the contract reverted'],
  ['OUT_OF_ENERGY', 'the energy was used up, and the fee limit was burned'],
  ['OUT_OF_TIME', 'it ran too long'],
])

const failureOf = ({ result, receipt, resMessage = '' }: InfoJson): string | null => {
  const code = receipt.result ?? 'SUCCESS'
  if (code === 'SUCCESS' && result !== 'FAILED') return null
  const name = code === 'SUCCESS' ? 'FAILED' : code
  const detail = messageText(resMessage)
  return `The call failed: ${FAILURES.get(name) ?? 'the network refused it'} (${name})${detail === '' ? '' : `: ${detail}`}.`
}

const internalOf = ({ internal_transactions = [] }: InfoJson): readonly Move[] =>
  internal_transactions.flatMap(({ caller_address, transferTo_address = '', callValueInfo = [], rejected }) =>
    rejected === true
      ? []
      : callValueInfo.flatMap(({ callValue = '0', tokenId }) => {
          const amount = BigInt(callValue)
          const move = { from: accountIn(caller_address), to: accountIn(transferTo_address), amount }
          return tokenId !== undefined || amount === 0n ? [] : [move]
        }),
  )

const TRANSFER = eventTopics.transfer.slice(2)

/** The transfer of a token that a log shows; null for any other log. */
export const transferIn = ({ topics, data }: TronLog): Move | null => {
  const [topic, from = '', to = ''] = topics
  if (topic !== TRANSFER || topics.length !== 3 || data.length !== 64) return null
  return { from: from.slice(24), to: to.slice(24), amount: BigInt(`0x${data}`) }
}

/** Transfers of a token, which 40 hex digits name. */
export const transfersOf = ({ logs }: TronTransaction, token: string): readonly Move[] =>
  logs.flatMap((log) => (log.address === token ? (transferIn(log) ?? []) : []))

/** All TRX that a transaction which succeeded moved; fees are no part of it. */
export const nativeMoves = ({ failure, owner, to, value, internal }: TronTransaction): readonly Move[] =>
  failure !== null ? [] : [...(value > 0n ? [{ from: owner, to, amount: value }] : []), ...internal]

/** What moves brought an account, less what it sent. */
export const gainIn = (moves: readonly Move[], account: string): bigint =>
  moves.reduce(
    (sum, { from, to, amount }) => sum + (to === account ? amount : 0n) - (from === account ? amount : 0n),
    0n,
  )

/** Sender, recipient and calldata for the record (wire.md 3.1). */
export const txDataOf = ({ owner, to, data, memo, value }: TronTransaction): NonNullable<AttemptState['txData']> => ({
  from: addressOf(owner),
  to: to === '' ? '' : addressOf(to),
  data: `0x${data === '' ? memo : data}`,
  value: value.toString(),
})

/** A TRC-20 call that the owner made itself: recipient, amount, and the bytes behind the arguments. */
export interface TransferCall {
  readonly from: string
  readonly to: string
  readonly amount: bigint
  readonly tail: string
}

/** The transfer that calldata asks for; null for other calldata. */
export const transferCallOf = ({ owner, data }: Pick<TronTransaction, 'owner' | 'data'>): TransferCall | null => {
  const [selector, args] = [data.slice(0, 8), data.slice(8)]
  const skipped = selector === 'a9059cbb' ? 0 : selector === '23b872dd' ? 1 : -1
  const length = (2 + skipped) * 64
  if (skipped < 0 || args.length < length) return null
  const accountAt = (at: number) => args.slice(at * 64 + 24, (at + 1) * 64)
  return {
    from: skipped === 0 ? owner : accountAt(0),
    to: accountAt(skipped),
    amount: numberAt(args, skipped + 1),
    tail: args.slice(length),
  }
}

/** Currency id of a token's 40 hex digits. */
export const currencyOf = (token: string): string => (token === '' ? NATIVE : addressOf(token))
