import type { Hex } from '../money/hex.js'
import { EvmWords } from '../order/evmWords.js'
import { bytesToHex, hexToBytes } from '../order/hexBytes.js'
import { keccak256 } from '../order/keccak256.js'

/** Name of the domain that public examples show; clients sign whichever the quote says. */
export const NONCE_MAPPING_DOMAIN = 'RelayNonceMapping'

/** Without `depositor`, and since 2026-05-21 with it (chains.md, hypevm 3). */
export type NonceMappingVersion = '1' | '2'

/** What a wallet signs: its transfer with this nonce is for the order `id` (wire.md 2.8). */
export interface NonceMappingMessage {
  /** Slug of the chain of the transfer, such as `hyperliquid`. */
  readonly chain: string
  /** `0x` and 40 hex digits, in any case; so is `depositor`. */
  readonly wallet: string
  /** Whose money the transfer moves. Not part of version 1. */
  readonly depositor: string
  /** The order id. */
  readonly id: Hex
  /** A whole number that JSON holds exactly; on Hyperliquid Unix milliseconds. */
  readonly nonce: number
}

/** In which domain it is signed. */
export interface NonceMappingDomain {
  readonly name: string
  /** EIP-155 id of the chain that the wallet is connected to: not that of the transfer. */
  readonly signatureChainId: number
  readonly version: NonceMappingVersion
}

/** A field of typed data (EIP-712). */
export interface TypedField {
  readonly name: string
  readonly type: string
}

const FIELDS: readonly TypedField[] = [
  { name: 'chainId', type: 'string' },
  { name: 'wallet', type: 'address' },
  { name: 'depositor', type: 'address' },
  { name: 'id', type: 'bytes32' },
  { name: 'nonce', type: 'uint256' },
]

const fieldsOf = (version: NonceMappingVersion): readonly TypedField[] =>
  version === '2' ? FIELDS : FIELDS.filter(({ name }) => name !== 'depositor')

const ZERO_ADDRESS = `0x${'0'.repeat(40)}` as const

/**
 * The parts of an `eip712` item of a step, without `signatureKind` (wire.md A.4): what a quote shows of it, and what a wallet is asked
 * to sign. `chainId` of the value is the slug.
 */
export const nonceMappingTypedData = (
  { chain, wallet, depositor, id, nonce }: NonceMappingMessage,
  { name, signatureChainId, version }: NonceMappingDomain,
) => ({
  domain: { name, version, chainId: signatureChainId, verifyingContract: ZERO_ADDRESS },
  types: { NonceMapping: fieldsOf(version) },
  primaryType: 'NonceMapping' as const,
  value: { chainId: chain, wallet, ...(version === '2' ? { depositor } : {}), id, nonce },
})

const textHash = (text: string): Uint8Array => keccak256(new TextEncoder().encode(text))

const typeHashOf = (version: NonceMappingVersion): Uint8Array =>
  textHash(
    `NonceMapping(${fieldsOf(version)
      .map(({ type, name }) => `${type} ${name}`)
      .join(',')})`,
  )

const TYPE_HASHES: Readonly<Record<NonceMappingVersion, Uint8Array>> = { '1': typeHashOf('1'), '2': typeHashOf('2') }
const DOMAIN_TYPE_HASH = textHash('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)')

const domainHash = ({ name, signatureChainId, version }: NonceMappingDomain): Uint8Array =>
  keccak256(
    new EvmWords(5)
      .set(0, DOMAIN_TYPE_HASH)
      .set(1, textHash(name))
      .set(2, textHash(version))
      .setUint(3, BigInt(signatureChainId)).bytes,
  )

const structHash = (
  { chain, wallet, depositor, id, nonce }: NonceMappingMessage,
  version: NonceMappingVersion,
): Uint8Array => {
  const words = new EvmWords(version === '2' ? 6 : 5)
    .set(0, TYPE_HASHES[version])
    .set(1, textHash(chain))
    .setAddress(2, hexToBytes(wallet, 'wallet', 20))
  if (version === '2') words.setAddress(3, hexToBytes(depositor, 'depositor', 20))
  const next = version === '2' ? 4 : 3
  return keccak256(words.set(next, hexToBytes(id, 'id', 32)).setUint(next + 1, BigInt(nonce)).bytes)
}

/** The 32 bytes that a wallet's signature of a nonce mapping is over (EIP-712). @throws OrderEncodingError for a malformed address or id */
export const nonceMappingDigest = (message: NonceMappingMessage, domain: NonceMappingDomain): Hex => {
  const bytes = new Uint8Array(66)
  bytes.set([0x19, 0x01])
  bytes.set(domainHash(domain), 2)
  bytes.set(structHash(message, domain.version), 34)
  return bytesToHex(keccak256(bytes))
}
