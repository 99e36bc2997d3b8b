import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allocatorOf } from './allocatorKey.js'
import { createEd25519Signer, ed25519Address } from './ed25519Signer.js'
import { EnvironmentKeys } from './environmentKeys.js'
import { signChecked } from './signChecked.js'

const KEY = '11'.repeat(32)

describe('an ed25519 signer', () => {
  it('signs messages of any length, and every spelling of its key is the same key', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.uint8Array({ maxLength: 300 }),
        async (secret, message) => {
          const pair = Uint8Array.from([...secret, ...ed25519.getPublicKey(secret)])
          const spellings = [Buffer.from(secret).toString('hex'), base58.encode(pair), JSON.stringify([...pair])]
          for (const signer of spellings.map(createEd25519Signer)) {
            expect(base58.encode(signer.publicKey)).toBe(ed25519Address(secret))
            expect(ed25519.verify(await signChecked(signer, message), message, signer.publicKey)).toBe(true)
          }
        },
      ),
      { numRuns: 25 },
    )
  })

  it.each(['', 'zz', '[1,2,3]', '[', base58.encode(new Uint8Array(64).fill(7)), JSON.stringify(Array(64).fill(300))])(
    'is not made of %s, and the text is not said',
    (text) => {
      expect(() => createEd25519Signer(text)).toThrow(/^(A key is|The 64 bytes)/)
    },
  )
})

describe('keys of two kinds in one process', () => {
  const keys = (values: Record<string, string>) =>
    new EnvironmentKeys(new Map(Object.entries(values)) as ConstructorParameters<typeof EnvironmentKeys>[0], ED25519)
  const ED25519 = new Set(['payout.7', 'allocator.7'] as const)

  it('each signs as its chain does', () => {
    const held = keys({ order: KEY, 'payout.1': KEY, 'payout.7': KEY })
    expect(held.signer('payout.1').scheme).toBe('secp256k1')
    expect(held.signer('payout.7').scheme).toBe('ed25519')
  })

  it('the allocator of all chains serves those that sign alike, others have one of their own or none', () => {
    const common = keys({ allocator: KEY, 'payout.1': KEY, 'payout.7': KEY })
    expect(allocatorOf(common, 1)?.scheme).toBe('secp256k1')
    expect(allocatorOf(common, 7)).toBeNull()
    expect(allocatorOf(keys({ allocator: KEY, 'payout.7': KEY, 'allocator.7': KEY }), 7)?.scheme).toBe('ed25519')
    expect(allocatorOf(keys({ 'payout.1': KEY }), 1)).toBeNull()
  })
})
