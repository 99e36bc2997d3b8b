import type { AddressCheck } from '@causeway/core/chain'
import { bech32, bech32m, createBase58check } from '@scure/base'
import { crypto } from 'bitcoinjs-lib'
import { ecc } from './curve.js'
import type { BitcoinNetwork } from './networks.js'

/** How an output is spent, told by its script. */
export type ScriptKind = 'p2pkh' | 'p2sh' | 'p2wpkh' | 'p2wsh' | 'p2tr'

export interface ParsedAddress {
  readonly canonical: string
  readonly kind: ScriptKind
  /** Output script that pays the address. */
  readonly script: Uint8Array
}

type Parsed = (ParsedAddress & { readonly ok: true }) | { readonly ok: false; readonly why: string }

/** Marker of the native currency; as an address it would be a program of 19 bytes, which nobody can spend (chains.md bvm 1). */
export const NATIVE = 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8'

const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000'
/** Most letters of a segwit address (BIP-173). */
const MAX_LETTERS = 90

/** Base58 with the checksum that Bitcoin's older addresses have. */
export const base58check = createBase58check((data: Uint8Array) => crypto.sha256(data))

/**
 * Reads an address of one network (chains.md bvm 1). The canonical form is the text itself, but lower case for bech32, which
 * may be written in capitals throughout. Witness versions above 1 have no owner yet: anybody could spend what they get.
 */
export const parseAddress = (text: string, network: BitcoinNetwork): Parsed => {
  if (text === '') return refuse('The address is empty.')
  if (text.length > MAX_LETTERS) return refuse('The address is too long for Bitcoin.')
  const lower = text.toLowerCase()
  if (lower === NATIVE) return refuse('This is the marker of the currency BTC, not an address that can receive.')
  if (/^(bc|tb|bcrt)1/.test(lower)) return parseSegwit(text, lower, network)
  return parseBase58(text, network)
}

export const validateAddress = (text: string, network: BitcoinNetwork): AddressCheck => {
  const parsed = parseAddress(text, network)
  return parsed.ok ? { ok: true, canonical: parsed.canonical } : parsed
}

/** NATIVE for itself and for the zero address (wire.md K.1 10): Bitcoin has one currency. Null for everything else. */
export const normalizeCurrency = (text: string): string | null => {
  const lower = text.length <= MAX_LETTERS ? text.toLowerCase() : ''
  return lower === ZERO_ADDRESS || text === NATIVE || text === NATIVE.toUpperCase() ? NATIVE : null
}

/** What clients name while no wallet is connected, whichever network they talk of (wire.md 0.5). */
const PLACEHOLDER = '34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo'

/** The placeholder in the form of this network, and as clients write it. */
export const placeholdersOn = ({ scriptHash }: BitcoinNetwork): readonly string[] => {
  const hash = base58check.decode(PLACEHOLDER).subarray(1)
  return [...new Set([base58check.encode(Uint8Array.from([scriptHash, ...hash])), PLACEHOLDER])]
}

/** Whether an address is a hash or key of zeros up to its last two bytes, for which no preimage can be found. */
export const isOwnerless = (address: string, network: BitcoinNetwork): boolean => {
  const parsed = parseAddress(address, network)
  if (!parsed.ok) return false
  const start = { p2pkh: 3, p2sh: 2, p2wpkh: 2, p2wsh: 2, p2tr: 2 }[parsed.kind]
  const length = parsed.script[start - 1] ?? 0
  return parsed.script.subarray(start, start + length - 2).every((byte) => byte === 0)
}

const refuse = (why: string) => ({ ok: false, why }) as const

const parseSegwit = (text: string, lower: string, network: BitcoinNetwork): Parsed => {
  if (text !== lower && text !== text.toUpperCase()) return refuse('The address mixes capital and small letters.')
  const prefix = lower.slice(0, lower.lastIndexOf('1'))
  if (prefix !== network.prefix) return refuse(foreign(network))
  const [plain, modified] = [bech32.decodeUnsafe(lower), bech32m.decodeUnsafe(lower)]
  const decoded = plain ?? modified
  const [version, ...words] = decoded?.words ?? []
  if (version === undefined) return refuse('The checksum of the address is wrong: a letter was changed or lost.')
  // BIP-350: a mutated checksum of one kind may be a valid one of the other, so each version has just one.
  if ((version === 0) !== (plain !== undefined)) {
    return refuse('The address has the checksum of another witness version (bech32 and bech32m mixed up).')
  }
  const program = bech32.fromWordsUnsafe(words)
  if (!program) return refuse('The address is damaged: its padding is wrong.')
  const kind = witnessKind(version, program)
  if (kind === null) return refuse('The address is of a witness version or length that nobody can spend safely yet.')
  if (kind === 'p2tr' && !ecc.isXOnlyPoint(program))
    return refuse('The address holds no valid key: nobody could spend it.')
  const opcode = version === 0 ? 0 : 0x50 + version
  return { ok: true, canonical: lower, kind, script: Uint8Array.from([opcode, program.length, ...program]) }
}

const witnessKind = (version: number, { length }: Uint8Array): ScriptKind | null => {
  if (version === 0 && length === 20) return 'p2wpkh'
  if (version === 0 && length === 32) return 'p2wsh'
  return version === 1 && length === 32 ? 'p2tr' : null
}

const parseBase58 = (text: string, network: BitcoinNetwork): Parsed => {
  const bytes = decodeBase58(text)
  if (bytes === null) return refuse(whyNot(text))
  const [version] = bytes
  if (bytes.length !== 21) return refuse(whyNot(text))
  const hash = bytes.subarray(1)
  if (version === network.publicKeyHash) return { ok: true, canonical: text, kind: 'p2pkh', script: payToKeyHash(hash) }
  if (version === network.scriptHash) return { ok: true, canonical: text, kind: 'p2sh', script: payToScriptHash(hash) }
  return refuse(foreign(network))
}

export const payToKeyHash = (hash: Uint8Array): Uint8Array => Uint8Array.from([0x76, 0xa9, 20, ...hash, 0x88, 0xac])
export const payToScriptHash = (hash: Uint8Array): Uint8Array => Uint8Array.from([0xa9, 20, ...hash, 0x87])

const decodeBase58 = (text: string): Uint8Array | null => {
  try {
    return base58check.decode(text)
  } catch {
    return null
  }
}

const foreign = ({ name }: BitcoinNetwork): string => `This address is of another network than ${name}.`

const whyNot = (text: string): string => {
  if (/^0x[0-9a-f]*$/i.test(text)) return 'This is an address of an EVM chain, not of Bitcoin.'
  return 'This is no Bitcoin address, or a letter of it was changed or lost.'
}
