import { createHash } from 'node:crypto'
import { decodeAccountID } from 'ripple-address-codec'

const SPACES = { account: 'a', line: 'r', ticket: 'T', escrow: 'u', check: 'C', preauth: 'p' } as const

/** The first half of SHA-512 as upper-case hex, which is how the ledger hashes. */
export const sha512Half = (...parts: readonly Uint8Array[]): string =>
  createHash('sha512').update(Buffer.concat(parts)).digest('hex').slice(0, 64).toUpperCase()

const ids = new Map<string, Uint8Array>()

/** The 20 bytes of an account; its checksum is looked at once. */
const idOf = (account: string): Uint8Array => {
  const id = ids.get(account) ?? decodeAccountID(account)
  ids.set(account, id)
  return id
}

const uint32 = (value: number): Uint8Array => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const indexOf = (space: keyof typeof SPACES, ...parts: readonly Uint8Array[]): string =>
  sha512Half(Buffer.from([0, SPACES[space].charCodeAt(0)]), ...parts)

/** 20 bytes; three characters stand in the middle of zeros. */
const currencyBytes = (currency: string): Uint8Array => {
  if (currency.length === 40) return Buffer.from(currency, 'hex')
  const bytes = Buffer.alloc(20)
  bytes.write(currency, 12, 'ascii')
  return bytes
}

/** Whether an account is the lower of two, whose side of a trust line is called low. */
export const isLower = (account: string, peer: string): boolean => Buffer.compare(idOf(account), idOf(peer)) < 0

export const accountIndex = (account: string): string => indexOf('account', idOf(account))

export const lineIndex = (account: string, peer: string, currency: string): string => {
  const [low, high] = isLower(account, peer) ? [account, peer] : [peer, account]
  return indexOf('line', idOf(low), idOf(high), currencyBytes(currency))
}

const numbered =
  (space: 'ticket' | 'escrow' | 'check') =>
  (account: string, sequence: number): string =>
    indexOf(space, idOf(account), uint32(sequence))

export const ticketIndex = numbered('ticket')
export const escrowIndex = numbered('escrow')
export const checkIndex = numbered('check')

export const preauthIndex = (account: string, authorized: string): string =>
  indexOf('preauth', idOf(account), idOf(authorized))
