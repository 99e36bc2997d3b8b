import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ClaimOffers } from './claimOffers.js'

const offersOf = (master: string, network: 'mainnet' | 'testnet' = 'testnet') =>
  new ClaimOffers({
    keys: { derive: (use) => createHash('sha256').update(`${master} ${use}`).digest() },
    deployment: { network },
  })

const terms = {
  wallet: `0x${'0a'.repeat(20)}`,
  balance: { chainId: 1, currency: '0xusd', amount: 2n ** 200n },
  ...{ chainId: 2, currency: 'native', recipient: 'payee?tag=7', minimum: 3n },
}
const END = 1_750_000_000_000

describe('claims that wait for a signature (faults.md F153)', () => {
  const offers = offersOf('one')

  it('come back as they were offered, with their time; two of the same terms differ', () => {
    const [one, other] = [offers.make(terms, END), offers.make(terms, END)]
    expect(offers.read(one.id, one.text)).toEqual({ ...terms, id: one.id, expiresAt: END })
    expect(offersOf('one').read(one.id, one.text)).not.toBeNull()
    expect(one.id).not.toBe(other.id)
    expect(offers.read(other.id, one.text)).toBeNull()
  })

  it('are refused where a byte was changed, and from another key or network', () => {
    const { id, text } = offers.make(terms, END)
    const bytes = Buffer.from(text, 'base64url')
    for (const at of bytes.keys()) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(offers.read(id, changed.toString('base64url'))).toBeNull()
    }
    for (const other of [undefined, '', 'x'.repeat(44), text.slice(0, 43), `${text}A`, 'x'.repeat(5_000)])
      expect(offers.read(id, other)).toBeNull()
    expect(offersOf('two').read(id, text)).toBeNull()
    expect(offersOf('one', 'mainnet').read(id, text)).toBeNull()
  })
})
