import { parseSignature, serializeCompactSignature, serializeSignature, signatureToCompactSignature } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { accountForm } from './compactSignature.js'

describe('signatures of 64 bytes (EIP-2098)', () => {
  it('are the 65 bytes that they stand for', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const seen = new Set<string>()
    for (let turn = 0; seen.size < 2 && turn < 200; turn += 1) {
      const signature = await account.signMessage({ message: `${turn}` })
      const compact = serializeCompactSignature(signatureToCompactSignature(parseSignature(signature)))
      expect(compact).toHaveLength(130)
      expect(accountForm(compact)).toBe(signature)
      seen.add(signature.slice(-2))
    }
    expect([...seen].sort()).toEqual(['1b', '1c'])
  })

  it('nothing else is touched', () => {
    const whole = serializeSignature({ r: `0x${'11'.repeat(32)}`, s: `0x${'22'.repeat(32)}`, v: 27n })
    for (const text of ['', '0x', whole, whole.slice(0, 129), `${whole}00`, 'x'.repeat(130)]) {
      expect(accountForm(text)).toBe(text)
    }
  })
})
