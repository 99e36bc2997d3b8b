import { evmAddressOfKey } from '@causeway/core/chain-kit'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { type Hex, hashTypedData, keccak256 } from 'viem'
import { refuse } from '../refusal.js'
import type { Network } from '../tokens.js'
import { type Action, USER_SIGNED, type UserSigned } from './actions.js'
import { msgpack } from './msgpack.js'

export interface Signature {
  readonly r: string
  readonly s: string
  readonly v: number
}

/** Body of `POST /exchange`. */
export interface SignedAction {
  readonly action: Action
  readonly nonce: number
  readonly signature: Signature
  readonly vaultAddress?: string
  readonly expiresAfter?: number
}

const ZERO_ADDRESS = `0x${'0'.repeat(40)}` as const

/** Numbers of 8 bytes, big-endian. */
const uint64 = (value: number): Buffer => Buffer.from(BigInt(value).toString(16).padStart(16, '0'), 'hex')

/** `connectionId` of an L1 action: its MessagePack, the nonce, and markers of a vault and an expiry. */
export const connectionIdOf = ({
  action,
  nonce,
  vaultAddress,
  expiresAfter,
}: Pick<SignedAction, 'action' | 'nonce' | 'vaultAddress' | 'expiresAfter'>): Hex =>
  keccak256(
    Buffer.concat([
      msgpack(action),
      uint64(nonce),
      ...(vaultAddress === undefined ? [Buffer.from([0])] : [Buffer.from(`01${vaultAddress.slice(2)}`, 'hex')]),
      ...(expiresAfter === undefined ? [] : [Buffer.from([0]), uint64(expiresAfter)]),
    ]),
  )

const l1Digest = (signed: Omit<SignedAction, 'signature'>, network: Network): Hex =>
  hashTypedData({
    domain: { name: 'Exchange', version: '1', chainId: 1337, verifyingContract: ZERO_ADDRESS },
    types: {
      Agent: [
        { name: 'source', type: 'string' },
        { name: 'connectionId', type: 'bytes32' },
      ],
    },
    primaryType: 'Agent',
    message: { source: network === 'Mainnet' ? 'a' : 'b', connectionId: connectionIdOf(signed) },
  })

/** The exchange signs for addresses in lower case, whatever the body has. */
const fieldOf = (action: Action, { name, type }: UserSigned['fields'][number]): unknown => {
  const value = action[name]
  if (type === 'uint64') return BigInt(String(value))
  return name === 'destination' ? String(value).toLowerCase() : value
}

const userSignedDigest = (action: Action, { primaryType, fields }: UserSigned): Hex =>
  hashTypedData({
    domain: {
      ...{ name: 'HyperliquidSignTransaction', version: '1', verifyingContract: ZERO_ADDRESS },
      chainId: Number(action.signatureChainId),
    },
    types: { [primaryType]: fields },
    primaryType,
    message: Object.fromEntries(fields.map((field) => [field.name, fieldOf(action, field)])),
  })

/** The 32 bytes that the signature of an action is over. @throws Refusal where the body contradicts itself or is of another network */
export const digestOf = (signed: Omit<SignedAction, 'signature'>, network: Network): Hex => {
  const { action, nonce } = signed
  const userSigned = USER_SIGNED[action.type]
  if (userSigned === undefined) return l1Digest(signed, network)
  if (action[userSigned.nonceField] !== nonce) return refuse('Nonce mismatch.')
  if (action.hyperliquidChain !== network) return refuse('Mainnet and testnet require different signature.')
  return userSignedDigest(action, userSigned)
}

/** 32 bytes of a number of a signature, which may lack leading zeros. */
const wordOf = (hex: string): Buffer => Buffer.from(hex.replace(/^0x/, '').padStart(64, '0'), 'hex')

/** Address of the key that signed a digest. @throws Refusal for a signature of no key */
export const recoverAddress = (digest: Hex, { r, s, v }: Signature): string => {
  try {
    const compact = secp256k1.Signature.fromBytes(Buffer.concat([wordOf(r), wordOf(s)]), 'compact')
    const point = compact.addRecoveryBit(v >= 27 ? v - 27 : v).recoverPublicKey(Buffer.from(digest.slice(2), 'hex'))
    return evmAddressOfKey(point.toBytes(false)).toLowerCase()
  } catch {
    return refuse('Unable to recover signer.')
  }
}

/** Address whose key signed an action: that of an unknown account for a changed one. @throws Refusal */
export const signerOf = (signed: SignedAction, network: Network): string =>
  recoverAddress(digestOf(signed, network), signed.signature)

/** The signature of 65 bytes of hex, as bodies have it. */
export const splitSignature = (signature: Hex): Signature => ({
  r: signature.slice(0, 66),
  s: `0x${signature.slice(66, 130)}`,
  v: Number.parseInt(signature.slice(130), 16),
})
