import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { recoverPublicKey, signDigest } from './secp256k1Curve.js'

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const key = bytes(32).filter((candidate) => secp256k1.utils.isValidSecretKey(candidate))

it('signs as another implementation does, to the byte, and finds the key again', async () => {
  await fc.assert(
    fc.asyncProperty(bytes(32), key, async (digest, privateKey) => {
      const signature = await signDigest(digest, privateKey)
      const other = secp256k1.sign(digest, privateKey, { prehash: false, lowS: true, format: 'recovered' })
      expect([...signature]).toEqual([...other.subarray(1), 27 + (other[0] ?? 0)])
      const publicKey = await recoverPublicKey(digest, signature)
      expect(Buffer.from(publicKey ?? [])).toEqual(Buffer.from(secp256k1.getPublicKey(privateKey, false)))
    }),
    { numRuns: 50 },
  )
})

it('finds no key in what is no signature, and another key in that of another digest (F113)', async () => {
  const privateKey = new Uint8Array(32).fill(7)
  const digest = new Uint8Array(32).fill(1)
  const signature = await signDigest(digest, privateKey)
  const own = Buffer.from(secp256k1.getPublicKey(privateKey, false))
  expect(await recoverPublicKey(digest, new Uint8Array(65))).toBeNull()
  expect(await recoverPublicKey(digest, signature.subarray(0, 64))).toBeNull()
  expect(await recoverPublicKey(digest, new Uint8Array(65).fill(255))).toBeNull()
  const other = await recoverPublicKey(new Uint8Array(32).fill(2), signature)
  expect(other === null || !Buffer.from(other).equals(own)).toBe(true)
})
