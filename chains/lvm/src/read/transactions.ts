import type { Hex } from '@causeway/core'
import type { BlockRef, ChainMoney } from '@causeway/core/chain'
import { answerOf, parseExactJson, strangeAnswer } from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'
import { NATIVE } from '../address/addresses.js'
import { currencyOf } from '../address/assets.js'
import { orderIdIn } from '../address/memos.js'
import { COUNT, WHOLE } from '../rpc/fields.js'
import { bareHash, type TransactionJson } from '../rpc/transactions.js'

/** Type of a transfer. */
export const TRANSFER = '12'

/** Statuses of a transaction (chains.md lvm 4). */
const SUCCEEDED: ReadonlySet<string> = new Set(['2', '3'])
const FAILED: ReadonlySet<string> = new Set(['4', '5'])

const infoSchema = Type.Object({
  ...{ FromAccountIndex: WHOLE, ApiKeyIndex: COUNT, ToAccountIndex: WHOLE, AssetIndex: COUNT },
  ...{ FromRouteType: COUNT, ToRouteType: COUNT, Amount: COUNT, USDCFee: COUNT, ExpiredAt: COUNT, Nonce: COUNT },
  Memo: Type.Array(Type.String({ pattern: '^\\d{1,3}$' }), { minItems: 32, maxItems: 32 }),
})
const readInfo = answerOf(infoSchema)

/** The money of a transfer. */
export interface Transfer {
  readonly from: string
  readonly to: string
  /** Index of the asset, which tells what arrived where `currency` is null. */
  readonly asset: number
  /** Currency that arrived; null where the service has no currency for asset and route. */
  readonly currency: string | null
  /** Currency that left the sender; null as above. */
  readonly paidIn: string | null
  readonly amount: bigint
  /** In the native currency, from the sender. */
  readonly fee: bigint
  /** 32 bytes. */
  readonly memo: Uint8Array
  readonly orderId: Hex | null
}

/** A transaction of an account as one node shows it. */
export interface LedgerTransaction {
  readonly hash: string
  readonly account: string
  readonly apiKeyIndex: number
  readonly nonce: bigint
  /** Unix milliseconds. */
  readonly expiredAt: bigint
  /** `failure` is final: the transaction never runs again. */
  readonly status: 'pending' | 'success' | 'failure'
  /** Code of the status of a failure. */
  readonly code: string
  /** Null while it is in no block. */
  readonly block: BlockRef | null
  /** Null for any other type of transaction. */
  readonly transfer: Transfer | null
}

/** Reads a transaction of an answer. @throws ServiceError RPC_HTTP_ERROR for values that contradict each other */
export const readTransaction = (json: TransactionJson): LedgerTransaction => {
  const { type, status: code, account_index: account, nonce } = json
  const info = type === TRANSFER ? readInfo(parsedInfo(json.info)) : null
  if (info !== null && (info.FromAccountIndex !== account || info.Nonce !== nonce))
    throw strangeAnswer('a transaction that contradicts its own fields')
  const hash = bareHash(json.hash)
  const height = BigInt(json.block_height)
  const time = Math.floor(Number(json.queued_at) / 1000)
  return {
    ...{ hash, account, code },
    apiKeyIndex: Number(info?.ApiKeyIndex ?? json.api_key_index ?? -1),
    nonce: BigInt(nonce),
    expiredAt: BigInt(info?.ExpiredAt ?? json.expire_at),
    status: statusOf(code),
    // The exchange shows no hash of the block beside a transaction. No block is ever replaced.
    block: height === 0n || statusOf(code) === 'pending' ? null : { height, hash, time },
    transfer: info === null ? null : transferOf(info),
  }
}

const statusOf = (code: string): LedgerTransaction['status'] => {
  if (SUCCEEDED.has(code)) return 'success'
  return FAILED.has(code) ? 'failure' : 'pending'
}

const parsedInfo = (text: string): unknown => {
  try {
    return parseExactJson(text)
  } catch {
    throw strangeAnswer('fields of a transaction that are no JSON')
  }
}

const transferOf = (info: ReturnType<typeof readInfo>): Transfer => {
  const asset = Number(info.AssetIndex)
  const memo = Uint8Array.from(info.Memo, Number)
  return {
    ...{ from: info.FromAccountIndex, to: info.ToAccountIndex, asset, memo },
    currency: currencyOf({ asset, route: Number(info.ToRouteType) }),
    paidIn: currencyOf({ asset, route: Number(info.FromRouteType) }),
    amount: BigInt(info.Amount),
    fee: BigInt(info.USDCFee),
    orderId: orderIdIn(memo),
  }
}

/** Whether a pending transaction can no longer be executed: its expiry is over, with a margin (chains.md lvm 4). */
export const isExpired = (
  { status, expiredAt }: Pick<LedgerTransaction, 'status' | 'expiredAt'>,
  seconds: number,
): boolean => status === 'pending' && BigInt(seconds) > lastSecondOf(expiredAt)

/** Seconds that the exchange may take to drop a transaction after its expiry. */
export const EXPIRY_MARGIN = 60n

/** The last second in which a transaction may be executed. */
export const lastSecondOf = (expiredAt: bigint): bigint => expiredAt / 1000n + EXPIRY_MARGIN

/** The amount by which a transaction raised a balance. */
export const gainOf = (
  { status, transfer }: Pick<LedgerTransaction, 'status' | 'transfer'>,
  { address, currency }: { readonly address: string; readonly currency: string },
): bigint => {
  if (status !== 'success' || transfer === null) return 0n
  const { from, to, amount, fee, currency: arrived, paidIn } = transfer
  const received = to === address && arrived === currency ? amount : 0n
  const paid = from === address && paidIn === currency ? amount : 0n
  return received - paid - (from === address && currency === NATIVE ? fee : 0n)
}

/** For the record: sender, recipient, memo and amount (wire.md 3.1 TX `data`). */
export const txDataOf = ({ from, to, memo }: Transfer, { amount }: Pick<ChainMoney, 'amount'>) => ({
  ...{ from, to, data: `0x${Buffer.from(memo).toString('hex')}`, value: amount.toString() },
})
