import {
  depositAddressFactoryAbi,
  depositoryAbi,
  fillRouterAbi,
  permitRouterAbi,
  swapRouterAbi,
} from '@causeway/contracts-abi'
import type { Hex, Json } from '@causeway/core'
import type { JsonRpcError } from '@causeway/core/chain-kit'
import type { Abi } from 'viem'
import { decodeErrorResult, size, slice, toFunctionSelector } from 'viem/utils'
import { revertDataOf } from '../rpc/rpcErrors.js'
import { erc20Abi, permitErrorsAbi } from './contracts/abis.js'

/** Largest revert data kept, bytes; a hostile contract may return megabytes (F62). */
export const MAX_REVERT_BYTES = 1024
const MAX_TEXT = 300
const NO_REASON = 'reverted without a reason'

export interface RevertReason {
  /** Plain words, cut. */
  readonly text: string
  /** Name and arguments where the error is known, and the raw bytes, cut. */
  readonly data: Json
  /** Where one of the calls that a router runs stopped it: which. */
  readonly failed?: { readonly of: 'calls' | 'swap'; readonly index: number }
  /** Name of the error, where it is one of the contracts of this service. */
  readonly name?: string
}

const KNOWN_ERRORS: Abi = [
  ...depositoryAbi,
  ...depositAddressFactoryAbi,
  ...fillRouterAbi,
  ...swapRouterAbi,
  ...permitRouterAbi,
  ...permitErrorsAbi,
  ...erc20Abi,
].filter((member) => member.type === 'error')

/** What the EVM said when it stopped a call. */
export const revertReason = (error: JsonRpcError): RevertReason => {
  const raw = revertDataOf(error)
  if (raw !== null && raw.length > 2) return reasonOfData(raw)
  const text = /out of gas|gas required exceeds/i.test(error.message) ? 'out of gas' : NO_REASON
  return { text, data: { raw: '0x' } }
}

export const reasonOfData = (raw: Hex): RevertReason => {
  const failed = failedCallOf(raw)
  if (failed !== null) return failed
  const kept = cutHex(raw)
  try {
    const { errorName: name, args: values } = decodeErrorResult({ abi: KNOWN_ERRORS, data: kept })
    const args = (values ?? []).map((value) => cleanText(String(value)))
    const text = TEXTS[name]?.(args) ?? `${name}(${args.join(', ')})`
    return { text: cleanText(text), data: { name, args, raw: kept }, name }
  } catch {
    return decodeLoosely(kept)
  }
}

const TEXTS: Readonly<Record<string, ((args: readonly string[]) => string) | undefined>> = {
  Error: ([text = '']) => (text === '' ? NO_REASON : text),
  Panic: ([code]) => `panic ${code}`,
  TooLittleReceived: ([got]) => `the swap gives ${got} only, less than its minimum`,
  // CAST: an argument of type bytes.
  PaymentFailed: ([reason = '0x']) => (reason === '0x' ? 'it refuses' : reasonOfData(reason as Hex).text),
  // CAST: as above.
  PermitRefused: ([reason = '0x']) => (reason === '0x' ? NO_REASON : reasonOfData(reason as Hex).text),
  AlreadyDeposited: () => 'what was signed was used before',
  PermitExpired: () => 'what was signed has expired',
  NothingArrived: () => 'the token moved nothing',
  InvalidNonce: () => 'it was used before',
  InvalidSigner: () => 'the signature is not that of the owner',
  InvalidContractSignature: () => 'the contract wallet does not take the signature for its own',
  SignatureExpired: ([deadline]) => `it expired at ${deadline}`,
  ERC2612ExpiredSignature: ([deadline]) => `it expired at ${deadline}`,
  ERC2612InvalidSigner: () => 'the signature is not that of the owner, or was used before',
  Expired: () => 'the swap is too late',
}

const FAILURES = [
  { selector: toFunctionSelector('CallFailed(uint256,bytes)'), of: 'calls' },
  { selector: toFunctionSelector('SwapFailed(uint256,bytes)'), of: 'swap' },
] as const

/** The reason of the call that stopped a router, read by hand: its end may have been cut. Null for other errors. */
const failedCallOf = (raw: Hex): RevertReason | null => {
  const failure = FAILURES.find(({ selector }) => raw.startsWith(selector))
  // Selector, index, place of the reason, its length.
  if (failure === undefined || size(raw) < 100) return null
  const index = Number(slice(raw, 4, 36))
  const length = Math.min(Number(slice(raw, 68, 100)), size(raw) - 100)
  const inner = length === 0 ? { text: NO_REASON, data: { raw: '0x' } } : reasonOfData(slice(raw, 100, 100 + length))
  const what = failure.of === 'calls' ? `call ${index}` : 'the swap'
  return { text: cleanText(`${what}: ${inner.text}`), data: inner.data, failed: { of: failure.of, index } }
}

/** Of a cut Error(string) the head of the text is still readable. */
const decodeLoosely = (raw: Hex): RevertReason => {
  if (raw.startsWith('0x08c379a0')) {
    const text = printable(Buffer.from(raw.slice(2 + 8 + 128), 'hex').toString('utf8'))
    return { text: cleanText(text), data: { name: 'Error', args: [cleanText(text)], raw } }
  }
  return { text: `unknown error ${raw.slice(0, 10)}`, data: { raw } }
}

const cutHex = (raw: Hex): Hex => raw.slice(0, 2 + 2 * MAX_REVERT_BYTES) as Hex

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must go
const printable = (text: string): string => text.replace(/[\u0000-\u001f\u007f]/g, ' ').trim()

/** A text that a contract made: without control characters, cut. */
export const cleanText = (text: string): string => {
  const clean = printable(text)
  return clean.length > MAX_TEXT ? `${clean.slice(0, MAX_TEXT)}...` : clean
}
