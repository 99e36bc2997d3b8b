import { describe, expect, it } from 'vitest'
import type { Signer } from '../chain/signer.js'
import { boundedSigner } from './boundedSigner.js'
import { createSecp256k1Signer } from './secp256k1Signer.js'
import { signChecked } from './signChecked.js'

const own = createSecp256k1Signer(`0x${'11'.repeat(32)}`)
const other = createSecp256k1Signer(`0x${'22'.repeat(32)}`)
const digest = new Uint8Array(32).fill(7)
const SECP256K1_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const answering = (sign: Signer['sign']): Signer => ({ ...own, sign })

/** The same signature with s in its upper half: valid for the curve, but a second form of it. */
const withHighS = (signature: Uint8Array): Uint8Array => {
  const s = BigInt(`0x${Buffer.from(signature.subarray(32, 64)).toString('hex')}`)
  const high = Buffer.from((SECP256K1_ORDER - s).toString(16).padStart(64, '0'), 'hex')
  return Uint8Array.from([...signature.subarray(0, 32), ...high, 55 - (signature[64] ?? 0)])
}

describe('a signature is used only when it is of this digest and by this key (F113)', () => {
  it('passes what is right', async () => {
    expect(await signChecked(own, digest)).toEqual(await own.sign(digest))
  })

  it.each<[string, Signer]>([
    ['of another digest', answering(() => own.sign(new Uint8Array(32).fill(8)))],
    ['by another key', answering((asked) => other.sign(asked))],
    ['cut short', answering(async (asked) => (await own.sign(asked)).subarray(0, 64))],
    ['with a wrong v', answering(async (asked) => (await own.sign(asked)).with(64, 0))],
    ['in its second form', answering(async (asked) => withHighS(await own.sign(asked)))],
    ['of zeros', answering(async () => new Uint8Array(65))],
  ])('refuses a signature %s', async (_what, signer) => {
    await expect(signChecked(signer, digest)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'A signer of this service signed something else.',
    })
  })

  it('tells of an unreachable signer without what it said', async () => {
    const away = answering(() => Promise.reject(new Error('https://kms.example/secret-token refused')))
    await expect(signChecked(away, digest)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'A signer of this service did not sign.',
    })
  })

  it('waits for a slow signer no longer than it was told', async () => {
    const silent = answering(() => new Promise(() => undefined))
    await expect(signChecked(boundedSigner(silent, 20), digest)).rejects.toMatchObject({
      message: 'A signer of this service took longer than 20 ms.',
    })
    expect(await signChecked(boundedSigner(own, 20_000), digest)).toEqual(await own.sign(digest))
  })
})
