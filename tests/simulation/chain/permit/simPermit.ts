import { createHash } from 'node:crypto'
import type { Hex } from '@causeway/core'
import { addressOfKey } from '../../../adapter/ledgerChain/src/address.js'
import { isSigned, type SimKey } from '../simKeys.js'

/** What an owner signs: so much of its money goes into the depository under this order, once, until then. */
export type SimPermitTerms = {
  readonly orderId: Hex
  readonly owner: string
  readonly currency: string
  /** Decimal text. */
  readonly amount: string
  /** Unix seconds. */
  readonly expiresAt: number
}

export type SimPermit = SimPermitTerms & {
  /** The owner's public key and then its signature. */
  readonly signature: Hex
}

/** The bytes that are signed. */
const permitBytes = (network: string, { orderId, owner, currency, amount, expiresAt }: SimPermitTerms): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(['permit', network, orderId, owner, currency, amount, expiresAt]))

export const signPermit = (network: string, terms: SimPermitTerms, key: SimKey): SimPermit => ({
  ...terms,
  signature: `0x${key.publicKey}${key.sign(permitBytes(network, terms))}`,
})

const SIGNATURE = /^0x([0-9a-f]{64})([0-9a-f]{128})$/

/** Whether it is its owner's signature, for this ledger. */
export const isPermitSigned = (network: string, { signature, ...terms }: SimPermit): boolean => {
  const [, key, signed] = SIGNATURE.exec(signature) ?? []
  if (key === undefined || signed === undefined || addressOfKey(Buffer.from(key, 'hex')) !== terms.owner) return false
  return isSigned(permitBytes(network, terms), key, signed)
}

/** What the ledger counts a permit as, whenever it expires: a second one of the same moves nothing. */
export const permitKey = ({ orderId, owner, currency }: Pick<SimPermitTerms, 'orderId' | 'owner' | 'currency'>): Hex =>
  `0x${createHash('sha256').update(`permit ${orderId} ${owner} ${currency}`).digest('hex')}`
