import { sha256 } from '@noble/hashes/sha2.js'
import { CONTRACTS, type ContractKind, isContractKind } from './contracts.js'
import { bytesOf, decodeMessage, encodeMessage, type Fields, hexOf, type MessageType } from './protobuf.js'

export const TYPE_URL = 'type.googleapis.com/protocol.'

const ANY: MessageType = { 1: { name: 'type_url', kind: 'string' }, 2: { name: 'value', kind: 'bytes' } }
const CONTRACT: MessageType = {
  1: { name: 'type', kind: 'int64' },
  2: { name: 'parameter', kind: { message: ANY } },
  3: { name: 'provider', kind: 'bytes' },
  4: { name: 'ContractName', kind: 'bytes' },
  5: { name: 'Permission_id', kind: 'int64' },
}
const RAW: MessageType = {
  1: { name: 'ref_block_bytes', kind: 'bytes' },
  3: { name: 'ref_block_num', kind: 'int64' },
  4: { name: 'ref_block_hash', kind: 'bytes' },
  8: { name: 'expiration', kind: 'int64' },
  10: { name: 'data', kind: 'bytes' },
  11: { name: 'contract', kind: { message: CONTRACT }, isRepeated: true },
  12: { name: 'scripts', kind: 'bytes' },
  14: { name: 'timestamp', kind: 'int64' },
  18: { name: 'fee_limit', kind: 'int64' },
}
const SIGNED: MessageType = {
  1: { name: 'raw_data', kind: 'bytes' },
  2: { name: 'signature', kind: 'bytes', isRepeated: true },
  5: { name: 'ret', kind: 'bytes', isRepeated: true },
}

/** The call of a transaction, with addresses as hex. */
export interface ContractCall {
  readonly kind: ContractKind
  readonly value: Fields
  readonly permission: number
}

/** `raw_data` of a transaction; times are unix milliseconds, the fee limit is in sun. */
export interface RawTransaction {
  readonly refBlockBytes: string
  readonly refBlockHash: string
  readonly expiration: number
  readonly timestamp: number
  readonly feeLimit: number
  /** Memo in hex; empty: none. */
  readonly data: string
  readonly call: ContractCall
}

export interface SignedTransaction {
  readonly raw: RawTransaction
  /** Bytes of `raw_data`, in hex. */
  readonly rawHex: string
  /** SHA-256 of these bytes, 64 hex digits. */
  readonly id: string
  readonly signatures: readonly string[]
}

export const transactionIdOf = (rawHex: string): string => hexOf(sha256(bytesOf(rawHex)))

/** Fields of `raw_data`, in which messages and JSON agree except for the form of the contract. */
export const rawFields = (raw: Omit<RawTransaction, 'call'>, contract: Fields): Fields => ({
  ...{ contract: [contract], ref_block_bytes: raw.refBlockBytes, ref_block_hash: raw.refBlockHash },
  ...{ expiration: raw.expiration, ...(raw.data === '' ? {} : { data: raw.data }) },
  ...(raw.feeLimit === 0 ? {} : { fee_limit: raw.feeLimit }),
  ...(raw.timestamp === 0 ? {} : { timestamp: raw.timestamp }),
})

/** Reads what `rawFields` writes; absent fields are zero or empty. */
export const rawOf = (fields: Fields, call: ContractCall): RawTransaction => ({
  ...{ refBlockBytes: String(fields.ref_block_bytes ?? ''), refBlockHash: String(fields.ref_block_hash ?? '') },
  ...{ expiration: Number(fields.expiration ?? 0), timestamp: Number(fields.timestamp ?? 0) },
  ...{ feeLimit: Number(fields.fee_limit ?? 0), data: String(fields.data ?? ''), call },
})

/** Bytes of `raw_data`, in hex. @throws SyntaxError for a value that does not fit */
export const encodeRaw = ({ call, ...raw }: RawTransaction): string => {
  const { number, message } = CONTRACTS[call.kind]
  const value = hexOf(encodeMessage(message, call.value))
  const contract = {
    type: number,
    parameter: { type_url: `${TYPE_URL}${call.kind}`, value },
    Permission_id: call.permission,
  }
  return hexOf(encodeMessage(RAW, rawFields(raw, contract)))
}

/** A transaction of its `raw_data` alone. */
export const unsignedTransaction = (raw: RawTransaction): SignedTransaction => {
  const rawHex = encodeRaw(raw)
  return { raw, rawHex, id: transactionIdOf(rawHex), signatures: [] }
}

/** Reads the bytes of `raw_data`. @throws SyntaxError for other bytes, or for a kind that this network does not execute */
export const decodeRaw = (rawHex: string): RawTransaction => {
  const fields = decodeMessage(RAW, bytesOf(rawHex))
  const [contract, ...others] = [fields.contract ?? []].flat()
  const { type = 0, parameter, Permission_id: permission = 0 } = Object(contract)
  const kind = Object.keys(CONTRACTS).find((name) => isContractKind(name) && CONTRACTS[name].number === type)
  if (contract === undefined || !isContractKind(kind) || others.length > 0)
    throw new SyntaxError('The contract of the transaction is unknown')
  const value = decodeMessage(CONTRACTS[kind].message, bytesOf(Object(parameter).value ?? ''))
  return rawOf(fields, { kind, value, permission: Number(permission) })
}

/** Reads a signed transaction as `broadcasthex` takes it. @throws SyntaxError for other bytes */
export const decodeSigned = (hex: string): SignedTransaction => {
  const { raw_data: rawHex = '', signature = [] } = decodeMessage(SIGNED, bytesOf(hex))
  const signatures = [signature].flat().map(String)
  return { raw: decodeRaw(String(rawHex)), rawHex: String(rawHex), id: transactionIdOf(String(rawHex)), signatures }
}

/** Bytes that a signed transaction has on the network, without its result. */
export const sizeOf = ({ rawHex, signatures }: SignedTransaction): number =>
  encodeMessage(SIGNED, { raw_data: rawHex, signature: signatures }).length
