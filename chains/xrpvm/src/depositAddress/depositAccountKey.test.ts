import { hkdfSync } from 'node:crypto'
import { publicKeyOf as curveKeyOf } from '@causeway/core/chain'
import { expect, it } from 'vitest'
import { isValidClassicAddress, Wallet } from 'xrpl'
import { depositAccountOf } from './depositAccountKey.js'

const SEED = new Uint8Array(32).fill(7)

it('is HKDF-SHA256 of the seed with the chain in its info', () => {
  const { privateKey, address } = depositAccountOf(SEED, 537_724)
  const expected = hkdfSync('sha256', SEED, '', 'causeway/xrp/deposit-account/537724', 32)
  expect(Buffer.from(privateKey)).toEqual(Buffer.from(expected))
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
  const { privateKey, address } = depositAccountOf(SEED, 1)
  const secret = Buffer.from(privateKey).toString('hex').toUpperCase()
  const signed = new Wallet(publicKeyOf(privateKey), `00${secret}`)
  expect(signed.classicAddress).toBe(address)
})

const publicKeyOf = (privateKey: Uint8Array): string =>
  Buffer.from(curveKeyOf(privateKey, true)).toString('hex').toUpperCase()
