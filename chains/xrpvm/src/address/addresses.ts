import type { AddressCheck } from '@causeway/core/chain'
import { compressPublicKey } from '@causeway/core/chain'
import {
  classicAddressToXAddress,
  isValidClassicAddress,
  isValidXAddress,
  xAddressToClassicAddress,
} from 'ripple-address-codec'
import { deriveAddress } from 'ripple-keypairs'

/** Marker of the native currency: the account of which every byte is zero (chains.md xrpvm 1). */
export const NATIVE = 'rrrrrrrrrrrrrrrrrrrrrhoLvTp'

/** The account whose number is one. As with `NATIVE`, its key is unknown. */
export const ACCOUNT_ONE = 'rrrrrrrrrrrrrrrrrrrrBZbvji'

/** The longest X-address has 47 letters; what is longer is not even decoded. */
const MAX_LETTERS = 64

/** Whether no key can be known for an account: it begins with sixteen bytes of zeros, as the ledger's own black holes do. */
export const isKeyless = (account: string): boolean => account.startsWith('r'.repeat(17))

/** Whether a text is an account in its classic form, `r...` with a right checksum. */
export const isAccount = (text: string): boolean => text.length <= MAX_LETTERS && isValidClassicAddress(text)

/** Whether the X-addresses of a network begin with `X`; those of every other one begin with `T`. */
const isMain = (networkId: number): boolean => networkId === 0

/**
 * A classic address, or an X-address of the network that `networkId` names (chains.md xrpvm 1): the account is canonical, and the
 * tag of an X-address is told. Whether a payment can reach the account is for `recipientStatus` to say.
 */
export const validateAddress = (text: string, networkId: number): AddressCheck => {
  if (isAccount(text)) return { ok: true, canonical: text }
  if (text.length > MAX_LETTERS || !isValidXAddress(text)) return { ok: false, why: whyNot(text) }
  const { classicAddress, tag, test } = xAddressToClassicAddress(text)
  if (test === isMain(networkId)) return { ok: false, why: otherNetwork(test) }
  return { ok: true, canonical: classicAddress, ...(tag === false ? {} : { tag }) }
}

const otherNetwork = (test: boolean): string =>
  test
    ? 'This is an X-address of a test network (T...), and this chain is the main network.'
    : 'This is an X-address of the main network (X...), and this chain is another network.'

const whyNot = (text: string): string => {
  if (text === '') return 'The address is empty.'
  if (/^0x[0-9a-f]*$/i.test(text)) return 'This is an address of an EVM chain, not of the XRP Ledger.'
  if (/^(bc1|tb1|bcrt1)/i.test(text)) return 'This is a Bitcoin address, not one of the XRP Ledger.'
  if (/^r[1-9A-HJ-NP-Za-km-z]{24,34}$/.test(text)) return 'The address has a typing error: its checksum is wrong.'
  return 'An address of the XRP Ledger begins with r (25 to 35 letters and digits), or with X or T (47).'
}

/**
 * The account of a secp256k1 key, of 65 bytes as `Signer.publicKey` has it or of 33: its id is a hash of the compressed form.
 * @throws Error for bytes that are no such key
 */
export const accountOfKey = (publicKey: Uint8Array): string => deriveAddress(compressedHex(publicKey))

/** A secp256k1 key as transactions carry it (`SigningPubKey`): 33 bytes in capital hex digits. */
export const compressedHex = (publicKey: Uint8Array): string =>
  Buffer.from(compressPublicKey(publicKey)).toString('hex').toUpperCase()

/** The X-address of an account, with a tag or without one (undefined), on the network that `networkId` names. */
export const xAddressOf = (account: string, tag: number | undefined, networkId: number): string =>
  classicAddressToXAddress(account, tag ?? false, !isMain(networkId))
