import { createHash } from 'node:crypto'
import type { Hex } from '@causeway/core'
import { hexToBytes } from '@causeway/core'
import { PublicKey } from '@solana/web3.js'

/** What the allocator signs so that money may leave the vault. */
export interface TransferRequest {
  readonly domain: Uint8Array
  readonly recipient: string
  /** Mint, or null for lamports. */
  readonly token: string | null
  readonly amount: bigint
  /** u64. */
  readonly nonce: bigint
  /** Unix seconds; the chain's clock must be below it. */
  readonly expiration: bigint
  readonly vault: string
}

/** The low 64 bits of the host's 32-byte nonce: all that the program has room for. */
export const programNonce = (nonce: Hex): bigint => BigInt.asUintN(64, BigInt(nonce))

const u64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}

const i64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64LE(value)
  return bytes
}

const key = (address: string): Buffer => new PublicKey(address).toBuffer()

/** Borsh form (chains.md, Depository program). */
export const encodeTransferRequest = (request: TransferRequest): Buffer =>
  Buffer.concat([
    request.domain,
    key(request.recipient),
    request.token === null ? Buffer.from([0]) : Buffer.concat([Buffer.from([1]), key(request.token)]),
    u64(request.amount),
    u64(request.nonce),
    i64(request.expiration),
    key(request.vault),
  ])

/** SHA-256 of the Borsh form: the allocator's message, and the seed of the account that marks it as used. */
export const transferRequestHash = (request: TransferRequest): Buffer =>
  createHash('sha256').update(encodeTransferRequest(request)).digest()

/** The domain a program is initialised with, from the text that names its chain. */
export const programDomain = (program: string, chainName: string): Buffer =>
  createHash('sha256')
    .update(Buffer.from('RelayDepository'))
    .update(Buffer.from('1'))
    .update(Buffer.from(chainName, 'utf8'))
    .update(key(program))
    .digest()

/** State of the program as far as requests need it. */
export interface DepositoryState {
  readonly owner: string
  readonly allocator: string
  /** Null until the owner has set it. */
  readonly domain: Uint8Array | null
}

const STATE = Buffer.from('80359cbdf353f56b', 'hex')

/** Reads the account `relay_depository`; null when it is none. */
export const readDepositoryState = (data: Uint8Array): DepositoryState | null => {
  const bytes = Buffer.from(data)
  if (bytes.length < 74 || !STATE.equals(bytes.subarray(0, 8))) return null
  const hasDomain = bytes.readUInt8(73) === 1
  if (hasDomain && bytes.length < 106) return null
  return {
    owner: new PublicKey(bytes.subarray(8, 40)).toBase58(),
    allocator: new PublicKey(bytes.subarray(40, 72)).toBase58(),
    domain: hasDomain ? hexToBytes(`0x${bytes.subarray(74, 106).toString('hex')}`, 'domain') : null,
  }
}
