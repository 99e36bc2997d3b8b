import { hkdfSync } from 'node:crypto'
import { publicKeyOf } from '@causeway/core/chain'
import { expect, it } from 'vitest'
import { isValidClassicAddress, Wallet } from 'xrpl'
import { depositAccountOf } from './depositAddresses.js'

const SEED = new Uint8Array(32).fill(7)

it('is HKDF-SHA256 of the seed with the chain in its info', () => {
  const { signer, address } = depositAccountOf(SEED, 537_724)
  expect(signer.publicKey).toEqual(publicKeyOf(secretOf(537_724), false))
  expect(isValidClassicAddress(address)).toBe(true)
})

it('differs between chains and seeds', () => {
  const addresses = [
    depositAccountOf(SEED, 1),
    depositAccountOf(SEED, 2),
    depositAccountOf(new Uint8Array(32).fill(8), 1),
  ].map(({ address }) => address)
  expect(new Set(addresses).size).toBe(3)
})

it('is the account for which a wallet of the key signs', () => {
  const secret = secretOf(1)
  const signed = new Wallet(hexOf(publicKeyOf(secret, true)), `00${hexOf(secret)}`)
  expect(signed.classicAddress).toBe(depositAccountOf(SEED, 1).address)
})

const secretOf = (chainId: number): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', SEED, '', `causeway/xrp/deposit-account/${chainId}`, 32))

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase()
