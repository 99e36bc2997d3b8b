import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { accountOf, addressOf } from './addresses.js'

/** Words of the contract ABI, as hex without prefix. */
export const WORD = 64

export const wordOf = (value: bigint): string => value.toString(16).padStart(WORD, '0')

export const addressWord = (address: string): string => accountOf(address).padStart(WORD, '0')

/** Word number `at` of hex data; zero behind its end. */
export const wordAt = (data: string, at: number): string => data.slice(at * WORD, (at + 1) * WORD).padEnd(WORD, '0')

export const numberAt = (data: string, at: number): bigint => BigInt(`0x${wordAt(data, at)}`)

export const addressAt = (data: string, at: number): string => addressOf(wordAt(data, at))

/** Bytes with their length, padded to whole words. */
export const bytesWords = (hex: string): string =>
  wordOf(BigInt(hex.length / 2)) + hex.padEnd(Math.ceil(hex.length / WORD) * WORD, '0')

/** First four bytes of the hash of a function or an error. */
export const selectorOf = (signature: string): string => keccakHex(utf8ToBytes(signature)).slice(0, 8)

export const keccakHex = (bytes: Uint8Array): string => bytesToHex(keccak_256(bytes))

export const keccakOfHex = (hex: string): string => keccakHex(hexToBytes(hex))

/** Functions and first topics of TRC-20. */
export const TRC20 = {
  transfer: 'a9059cbb',
  transferFrom: '23b872dd',
  approve: '095ea7b3',
  balanceOf: '70a08231',
  allowance: 'dd62ed3e',
  symbol: '95d89b41',
  name: '06fdde03',
  decimals: '313ce567',
} as const
