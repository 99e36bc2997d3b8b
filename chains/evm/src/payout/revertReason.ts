import { depositoryAbi, fillRouterAbi } from '@causeway/contracts-abi'
import type { Hex, Json, JsonRpcError } from '@causeway/core'
import type { Abi } from 'viem'
import { decodeErrorResult } from 'viem/utils'
import { erc20Abi } from '../contracts/abis.js'
import { revertDataOf } from '../rpc/rpcErrors.js'

/** Largest revert data kept, bytes; a hostile contract may return megabytes (F62). */
export const MAX_REVERT_BYTES = 1024
const MAX_TEXT = 300

export interface RevertReason {
  /** Plain words, cut. */
  readonly text: string
  /** Name and arguments where the error is known, and the raw bytes, cut. */
  readonly data: Json
}

const KNOWN_ERRORS: Abi = [...depositoryAbi, ...fillRouterAbi, ...erc20Abi].filter((member) => member.type === 'error')

/** What the EVM said when it stopped a call. */
export const revertReason = (error: JsonRpcError): RevertReason => {
  const raw = revertDataOf(error)
  if (raw !== null && raw.length > 2) return reasonOfData(raw)
  const text = /out of gas|gas required exceeds/i.test(error.message) ? 'out of gas' : 'reverted without a reason'
  return { text, data: { raw: '0x' } }
}

export const reasonOfData = (raw: Hex): RevertReason => {
  const kept = cutHex(raw)
  try {
    const decoded = decodeErrorResult({ abi: KNOWN_ERRORS, data: kept })
    const args = (decoded.args ?? []).map((value) => cut(String(value)))
    const text = decoded.errorName === 'Error' ? (args[0] ?? '') : `${decoded.errorName}(${args.join(', ')})`
    return { text: cut(text), data: { name: decoded.errorName, args, raw: kept } }
  } catch {
    return decodeLoosely(kept)
  }
}

/** Of a cut Error(string) the head of the text is still readable. */
const decodeLoosely = (raw: Hex): RevertReason => {
  if (raw.startsWith('0x08c379a0')) {
    const text = printable(Buffer.from(raw.slice(2 + 8 + 128), 'hex').toString('utf8'))
    return { text: cut(text), data: { name: 'Error', args: [cut(text)], raw } }
  }
  return { text: `unknown error ${raw.slice(0, 10)}`, data: { raw } }
}

const cutHex = (raw: Hex): Hex => raw.slice(0, 2 + 2 * MAX_REVERT_BYTES) as Hex

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must go
const printable = (text: string): string => text.replace(/[\u0000-\u001f\u007f]/g, ' ').trim()

const cut = (text: string): string => {
  const clean = printable(text)
  return clean.length > MAX_TEXT ? `${clean.slice(0, MAX_TEXT)}...` : clean
}
