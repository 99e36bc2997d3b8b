import { address, opcodes, script } from 'bitcoinjs-lib'
import { REGTEST, toHex } from './regtest.js'

/** What an output script is; `witness` is a witness version nobody may spend yet. */
export type ScriptForm = 'p2pk' | 'p2pkh' | 'p2sh' | 'p2wpkh' | 'p2wsh' | 'p2tr' | 'witness' | 'opReturn' | 'other'

const patterns: readonly (readonly [ScriptForm, RegExp])[] = [
  ['p2pkh', /^76a914[0-9a-f]{40}88ac$/],
  ['p2sh', /^a914[0-9a-f]{40}87$/],
  ['p2wpkh', /^0014[0-9a-f]{40}$/],
  ['p2wsh', /^0020[0-9a-f]{64}$/],
  ['p2tr', /^5120[0-9a-f]{64}$/],
  ['p2pk', /^(21(02|03)[0-9a-f]{64}|4104[0-9a-f]{128})ac$/],
]

const isWitnessProgram = (bytes: Uint8Array): boolean => {
  const [version = 0, length] = bytes
  const versioned = version === opcodes.OP_0 || (version >= (opcodes.OP_1 ?? 81) && version <= (opcodes.OP_16 ?? 96))
  return versioned && bytes.length >= 4 && bytes.length <= 42 && length === bytes.length - 2
}

/** What an output script is. */
export const formOf = (bytes: Uint8Array): ScriptForm => {
  const hex = toHex(bytes)
  const found = patterns.find(([, pattern]) => pattern.test(hex))
  if (found !== undefined) return found[0]
  if (bytes[0] === opcodes.OP_RETURN)
    return script.isPushOnly(script.decompile(bytes.subarray(1)) ?? [opcodes.OP_RETURN ?? 0]) ? 'opReturn' : 'other'
  return isWitnessProgram(bytes) ? 'witness' : 'other'
}

const ADDRESSED: readonly ScriptForm[] = ['p2pkh', 'p2sh', 'p2wpkh', 'p2wsh', 'p2tr']

/** The address a script is paid by; null when it has none. */
export const addressOf = (bytes: Uint8Array): string | null =>
  ADDRESSED.includes(formOf(bytes)) ? address.fromOutputScript(bytes, REGTEST) : null

/** @throws Error when it is no address of regtest */
export const scriptOf = (text: string): Uint8Array => address.toOutputScript(text, REGTEST)

const opNames = new Map(Object.entries(opcodes).map(([name, code]) => [code, name]))

/** The script in words, as Bitcoin Core writes it: pushed bytes in hex, small numbers in decimal. */
export const coreWords = (bytes: Uint8Array): string =>
  words(
    bytes,
    (data) => toHex(data),
    (small) => String(small),
  )

/** The script in words, as Esplora writes it: pushes are named. */
export const esploraWords = (bytes: Uint8Array): string =>
  words(
    bytes,
    (data) => {
      const name = data.length <= 75 ? `OP_PUSHBYTES_${data.length}` : `OP_PUSHDATA${data.length < 256 ? 1 : 2}`
      return `${name} ${toHex(data)}`
    },
    (small) => (small === 0 ? 'OP_0' : small < 0 ? 'OP_PUSHNUM_NEG1' : `OP_PUSHNUM_${small}`),
  )

const words = (bytes: Uint8Array, push: (data: Uint8Array) => string, number: (small: number) => string): string => {
  const chunks = script.decompile(bytes)
  if (chunks === null) return '[error]'
  return chunks.map((chunk) => (typeof chunk === 'number' ? opWord(chunk, number) : push(chunk))).join(' ')
}

const opWord = (code: number, number: (small: number) => string): string => {
  if (code === 0) return number(0)
  if (code === 0x4f) return number(-1)
  if (code >= 0x51 && code <= 0x60) return number(code - 0x50)
  return opNames.get(code) ?? `OP_UNKNOWN_${code}`
}
