import { bech32, bech32m } from '@scure/base'
import { base58check, payToKeyHash, payToScriptHash, type ScriptKind } from './addresses.js'
import type { BitcoinNetwork } from './networks.js'

/** What a script is and which part of it an address holds; null for scripts without an address (OP_RETURN, bare keys). */
export const readScript = (script: Uint8Array): { readonly kind: ScriptKind; readonly hash: Uint8Array } | null => {
  if (script.length === 25 && equalBytes(script, payToKeyHash(script.subarray(3, 23)))) {
    return { kind: 'p2pkh', hash: script.subarray(3, 23) }
  }
  if (script.length === 23 && equalBytes(script, payToScriptHash(script.subarray(2, 22)))) {
    return { kind: 'p2sh', hash: script.subarray(2, 22) }
  }
  const [opcode, length] = script
  if (length !== script.length - 2) return null
  const hash = script.subarray(2)
  if (opcode === 0 && length === 20) return { kind: 'p2wpkh', hash }
  if (opcode === 0 && length === 32) return { kind: 'p2wsh', hash }
  return opcode === 0x51 && length === 32 ? { kind: 'p2tr', hash } : null
}

/** Canonical address that a script pays, null when it has none. */
export const addressOfScript = (script: Uint8Array, network: BitcoinNetwork): string | null => {
  const read = readScript(script)
  if (read === null) return null
  const { kind, hash } = read
  if (kind === 'p2pkh') return base58check.encode(Uint8Array.from([network.publicKeyHash, ...hash]))
  if (kind === 'p2sh') return base58check.encode(Uint8Array.from([network.scriptHash, ...hash]))
  if (kind === 'p2tr') return bech32m.encode(network.prefix, [1, ...bech32m.toWords(hash)])
  return bech32.encode(network.prefix, [0, ...bech32.toWords(hash)])
}

export const equalBytes = (left: Uint8Array, right: Uint8Array): boolean => Buffer.compare(left, right) === 0
