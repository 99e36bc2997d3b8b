import type { Hex } from '@causeway/core'
import type { DecodedRevert } from '@causeway/core/chain'
import { decodeErrorResult } from 'viem/utils'
import { cleanText, MAX_REVERT_BYTES } from '../revertReason.js'
import { ENTRY_POINT_CODES, KNOWN_ERRORS, SAFE_CODES, WRAPPERS } from './knownErrors.js'

/** Hex digits of an argument, or of arguments that nobody knows, that are shown. */
const MAX_RAW_DIGITS = 512
/** Errors within errors that are looked into. */
const MAX_WRAPPED = 8
const MAX_LABEL = 100

/** Meanings of the codes with which the compiler's own checks give up (Solidity). */
const PANICS: Readonly<Record<string, string | undefined>> = {
  '1': 'an assertion failed',
  '17': 'a number became too large or too small',
  '18': 'a division by zero',
  '33': 'a value that its type does not have',
  '34': 'a storage array is broken',
  '49': 'there was nothing to take off an empty array',
  '50': 'there is no such place in an array',
  '65': 'too much memory',
  '81': 'a function that was never set was called',
}

/** The bytes that a failed call answered, decoded; what an error hands on of a call within is decoded in its place. */
export const decodeRevert = (raw: Hex, outOfGas = false): DecodedRevert => decode(innermostData(raw), outOfGas)

const decode = (raw: Hex, outOfGas: boolean): DecodedRevert => {
  if (raw.length < 10) {
    return outOfGas
      ? { type: 'empty', label: 'OUT_OF_GAS', message: 'The call runs out of gas' }
      : { type: 'empty', label: 'EMPTY_REVERT', message: 'A contract gave up without a reason' }
  }
  // CAST: the first four bytes.
  const selector = raw.slice(0, 10).toLowerCase() as Hex
  const known = decodeKnown(raw)
  if (known === null) return decodeLoosely(raw, selector)
  const { name, args } = known
  if (name === 'Error') return errorString(args['0'] ?? '', selector)
  if (name === 'Panic') return panic(args['0'] ?? '', selector)
  return { type: 'customError', label: labelOf(name, args), message: messageOf(name, args), selector, name, args }
}

interface Known {
  readonly name: string
  readonly args: Readonly<Record<string, string>>
}

/** Null for an error of nobody known, or one whose end was cut off. */
const decodeKnown = (raw: Hex): Known | null => {
  try {
    const { errorName: name, args: values = [], abiItem } = decodeErrorResult({ abi: KNOWN_ERRORS, data: cutHex(raw) })
    const inputs = abiItem.type === 'error' ? abiItem.inputs : []
    // `Error(string)` and `Panic(uint256)` are no part of the list: their argument goes by its place.
    const isBuiltin = name === 'Error' || name === 'Panic'
    const args = values.map((value, at) => [
      (isBuiltin ? undefined : inputs[at]?.name) || String(at),
      cleanText(String(value)),
    ])
    return { name, args: Object.fromEntries(args) }
  } catch {
    return null
  }
}

const errorString = (text: string, selector: string): DecodedRevert => {
  const said = cleanText(text)
  if (said === '') return { type: 'errorString', label: 'EMPTY_REVERT', message: 'A contract gave up without a reason' }
  return { type: 'errorString', label: said.slice(0, MAX_LABEL), message: withMeaning(said), selector, name: 'Error' }
}

const panic = (code: string, selector: string): DecodedRevert => {
  const label = /^\d{1,4}$/.test(code) ? `PANIC_0x${BigInt(code).toString(16).padStart(2, '0')}` : 'PANIC'
  const message = `A contract stopped itself: ${PANICS[code] ?? `panic ${code}`}`
  return { type: 'panic', label, message, selector, name: 'Panic', args: { code } }
}

/** Of a cut `Error(string)` the head of the text is still readable. */
const decodeLoosely = (raw: Hex, selector: Hex): DecodedRevert => {
  const body = raw.slice(10)
  if (selector === '0x08c379a0')
    return errorString(Buffer.from(body.slice(128, 128 + 1_200), 'hex').toString(), selector)
  return {
    type: 'unknownCustomError',
    label: `UNKNOWN_CUSTOM_ERROR_${selector}`,
    message: `A contract gave up with an error of its own that is not known here, ${selector}`,
    selector,
    ...(body === '' ? {} : { rawArgsHex: `0x${body.slice(0, MAX_RAW_DIGITS)}` }),
  }
}

const SIGNATURE_CODES = /^AA[23]4/

/** The name as a word of the wire (wire.md C.3): `InvalidNonce` is `INVALID_NONCE`. */
const labelOf = (name: string, { reason = '' }: Readonly<Record<string, string>>): string => {
  if (name.startsWith('FailedOp') && SIGNATURE_CODES.test(reason)) return 'INVALID_SIGNATURE'
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase()
}

const messageOf = (name: string, args: Readonly<Record<string, string>>): string => {
  if (name === 'FailedOp' || name === 'FailedOpWithRevert') {
    return `The entry point refuses the user operation: ${withMeaning(args.reason ?? '')}`
  }
  const list = Object.entries(args).map(([key, value]) => `${key} ${value}`)
  return cleanText(list.length === 0 ? name : `${name}: ${list.join(', ')}`)
}

/** A text that begins with a code, with what the code says. */
const withMeaning = (text: string): string => {
  const code = text.slice(0, 5).trim()
  const meaning = ENTRY_POINT_CODES[code] ?? SAFE_CODES[code]
  return meaning === undefined ? text : `${text} (${meaning})`
}

/** What the call within said, where the error hands it on and the entry point does not say more by it. */
const innermostData = (raw: Hex): Hex => {
  let data = raw
  for (let depth = 0; depth < MAX_WRAPPED; depth += 1) {
    const wrapped = wrappedBy(data)
    if (wrapped === null || (wrapped.inner.length < 10 && !wrapped.isOurs)) return data
    data = wrapped.inner
  }
  return data
}

/** Errors by which a contract of ours hands on what a call said, and says nothing itself. */
const OURS: ReadonlySet<string> = new Set(['CallFailed', 'SwapFailed'])

const wrappedBy = (data: Hex): { readonly inner: Hex; readonly isOurs: boolean } | null => {
  try {
    const { errorName, args } = decodeErrorResult({ abi: KNOWN_ERRORS, data: cutHex(data) })
    const place = WRAPPERS[errorName]
    const inner = place === undefined ? undefined : args?.[place]
    if (typeof inner !== 'string' || !inner.startsWith('0x')) return null
    // CAST: an argument of type bytes.
    return { inner: inner as Hex, isOurs: OURS.has(errorName) }
  } catch {
    return null
  }
}

/** Four times what is kept, since what is wrapped has to be whole to be read; a hostile contract may answer megabytes (faults.md F62). */
const cutHex = (raw: Hex): Hex => raw.slice(0, 2 + 8 * MAX_REVERT_BYTES) as Hex
