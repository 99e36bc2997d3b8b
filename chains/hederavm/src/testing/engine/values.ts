import type { proto } from '@hiero-ledger/proto'

export type Code = keyof typeof proto.ResponseCodeEnum

export type Int64 = NonNullable<proto.ITimestamp['seconds']>

// CAST: protobuf writers also take decimal text.
export const int64 = (value: bigint | number): Int64 => String(value) as unknown as Int64

export const bigintOf = (value: Int64 | number | null | undefined): bigint => BigInt(String(value ?? 0))

const NANOS = 1_000_000_000n

export const nanosOf = (time: proto.ITimestamp | null | undefined): bigint =>
  bigintOf(time?.seconds) * NANOS + BigInt(time?.nanos ?? 0)

export const timestampOf = (nanos: bigint): proto.ITimestamp => ({
  seconds: int64(nanos / NANOS),
  nanos: Number(nanos % NANOS),
})

/** `seconds.nanos`, with nine digits of nanoseconds. */
export const timeText = (nanos: bigint): string => `${nanos / NANOS}.${String(nanos % NANOS).padStart(9, '0')}`

/** The account of an alias that has none yet, or `0.0.<number>`. */
export const idText = (number: Int64 | number | null | undefined): string => `0.0.${bigintOf(number)}`

export const numberOf = (id: string): bigint => BigInt(id.slice(id.lastIndexOf('.') + 1))

export const accountIdOf = (id: string): proto.IAccountID => ({
  shardNum: int64(0),
  realmNum: int64(0),
  accountNum: int64(numberOf(id)),
})

export const tokenIdOf = (id: string): proto.ITokenID => ({
  shardNum: int64(0),
  realmNum: int64(0),
  tokenNum: int64(numberOf(id)),
})

/** `payer@seconds.nanos` of a transaction id, without its nonce. */
export const transactionIdText = (id: proto.ITransactionID): string =>
  `${idText(id.accountID?.accountNum)}@${timeText(nanosOf(id.transactionValidStart))}`

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
