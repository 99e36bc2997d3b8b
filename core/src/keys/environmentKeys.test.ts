import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EnvironmentKeys } from './environmentKeys.js'
import { createSecp256k1Signer } from './secp256k1Signer.js'

const key = `0x${'11'.repeat(32)}`

describe('secp256k1 signer', () => {
  it('signs deterministically, with low s, and the public key is recovered from the signature', async () => {
    const signer = createSecp256k1Signer(key)
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 32, maxLength: 32 }), async (digest) => {
        const signature = await signer.sign(digest)
        expect(await signer.sign(digest)).toEqual(signature)
        const parsed = secp256k1.Signature.fromBytes(signature.subarray(0, 64), 'compact')
        expect(parsed.hasHighS()).toBe(false)
        const recovered = parsed.addRecoveryBit((signature[64] ?? 0) - 27).recoverPublicKey(digest)
        expect(recovered.toBytes(false)).toEqual(signer.publicKey)
      }),
      { numRuns: 25 },
    )
  })

  it('signs nothing but 32-byte digests', async () => {
    await expect(createSecp256k1Signer(key).sign(new Uint8Array(31))).rejects.toThrow('32 bytes')
  })
})

describe('EnvironmentKeys', () => {
  it('derives a different secret for each use, the same for the same', () => {
    const keys = new EnvironmentKeys(new Map([['master', key]]))
    expect(keys.derive('a')).toEqual(keys.derive('a'))
    expect(keys.derive('a')).not.toEqual(keys.derive('b'))
    expect(keys.derive('a')).toHaveLength(32)
  })

  it('derives from the previous master key where it is asked to, and else from the present one', () => {
    const other = `0x${'42'.repeat(32)}`
    const both = new EnvironmentKeys(
      new Map([
        ['master', key],
        ['previousMaster', other],
      ]),
    )
    expect(both.derive('a')).toEqual(new EnvironmentKeys(new Map([['master', key]])).derive('a'))
    expect(both.derive('a', 'previousMaster')).toEqual(new EnvironmentKeys(new Map([['master', other]])).derive('a'))
    const one = new EnvironmentKeys(new Map([['master', key]]))
    expect([both.has('previousMaster'), one.has('previousMaster')]).toEqual([true, false])
    expect(() => one.derive('a', 'previousMaster')).toThrow('"previousMaster"')
  })

  it('has only what it was given', () => {
    const keys = new EnvironmentKeys(new Map([['order', key]]))
    expect(keys.has('order')).toBe(true)
    expect(keys.has('payout.1')).toBe(false)
    expect(() => keys.signer('payout.1')).toThrow('"payout.1"')
    expect(() => keys.derive('a')).toThrow('"master"')
  })

  it.each(['1234', 'zz'.repeat(32), `0x${'00'.repeat(32)}`, `0x${'ff'.repeat(32)}`])(
    'names the purpose and never the value of a bad key (%s)',
    (text) => {
      expect(() => new EnvironmentKeys(new Map([['order', text]]))).toThrow(/^Key "order": (?!.*1234|.*zzzz|.*ffff)/)
    },
  )
})
