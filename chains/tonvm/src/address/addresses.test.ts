import { readFileSync } from 'node:fs'
import { Address } from '@ton/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NATIVE, normalizeCurrency, PLACEHOLDER, validateAddress } from './addresses.js'

interface Recorded {
  readonly hash: string
  readonly mainnet: readonly string[]
  readonly testnet: readonly string[]
  readonly masterchain: readonly string[]
  readonly invalid: readonly string[]
  readonly otherTestnetWallet: { readonly friendly: string; readonly raw: string }
}

// CAST: the recorded addresses, whose sources the file names.
const recorded = JSON.parse(readFileSync(new URL('fixtures/addresses.json', import.meta.url), 'utf8')) as Recorded

const MAIN = { isTestnet: false }
const TEST = { isTestnet: true }
const raw = `0:${recorded.hash}`

describe('an address', () => {
  it.each([...recorded.mainnet, raw, raw.toUpperCase()])('%s is stored in its raw form', (text) => {
    expect(validateAddress(text, MAIN)).toEqual({ ok: true, canonical: raw })
    expect(validateAddress(text, TEST)).toEqual({ ok: true, canonical: raw })
  })

  it.each(recorded.testnet)('%s is of a test network, and refused on the main network', (text) => {
    expect(validateAddress(text, TEST)).toEqual({ ok: true, canonical: raw })
    expect(validateAddress(text, MAIN)).toMatchObject({ ok: false, why: expect.stringContaining('test network') })
  })

  it.each(recorded.masterchain)('%s is of the masterchain, and refused', (text) => {
    expect(validateAddress(text, MAIN)).toMatchObject({ ok: false, why: expect.stringContaining('workchain 0') })
  })

  it.each([...recorded.invalid, '', 'x'.repeat(100_000), `0x${'ab'.repeat(20)}`])('%.60s is refused', (text) => {
    expect(validateAddress(text, TEST)).toMatchObject({ ok: false, why: expect.stringMatching(/\.$/) })
  })

  it('with any letter changed is another text, and refused by its checksum', () => {
    const [text = ''] = recorded.mainnet
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
    fc.assert(
      fc.property(fc.nat({ max: 47 }), fc.constantFrom(...letters), (at, letter) => {
        const changed = `${text.slice(0, at)}${letter}${text.slice(at + 1)}`
        expect(validateAddress(changed, MAIN).ok).toBe(changed === text)
      }),
    )
  })

  it('of a placeholder is valid', () => {
    expect(validateAddress(PLACEHOLDER, MAIN).ok).toBe(true)
  })
})

describe('a currency', () => {
  it('is native in every spelling of the marker, and by the zero address of other chains', () => {
    for (const text of [
      NATIVE,
      `0:${'0'.repeat(64)}`,
      Address.parse(NATIVE).toString({ bounceable: false }),
      `0x${'0'.repeat(40)}`,
    ]) {
      expect(normalizeCurrency(text, MAIN)).toBe(NATIVE)
    }
  })

  it('is the raw address of a jetton', () => {
    for (const text of recorded.mainnet) expect(normalizeCurrency(text, MAIN)).toBe(raw)
    for (const text of [...recorded.testnet, ...recorded.masterchain, 'USDT', '0x0']) {
      expect(normalizeCurrency(text, MAIN)).toBeNull()
    }
  })
})
