import { EnvironmentKeys } from '@causeway/core/host'
import { describe, expect, it } from 'vitest'
import { isApiKey, newApiKey, toBase62 } from '../apiKeyFormat.js'
import { openKeyRing } from './keyRing.js'
import { KeyVault } from './keyVault.js'

const keysOf = (digit: string) => new EnvironmentKeys(new Map([['master' as const, `0x${digit.repeat(64)}`]]))

describe('the key format (wire.md H.1)', () => {
  it('is the prefix of the network and 43 base62 characters', () => {
    expect(newApiKey('mainnet')).toMatch(/^cct_live_[0-9A-Za-z]{43}$/)
    expect(newApiKey('testnet')).toMatch(/^cct_test_[0-9A-Za-z]{43}$/)
    expect(newApiKey('testnet')).not.toBe(newApiKey('testnet'))
  })

  it('pads small numbers and holds the largest', () => {
    expect(toBase62(new Uint8Array(32))).toBe('0'.repeat(43))
    expect(toBase62(new Uint8Array(32).fill(255))).toHaveLength(43)
  })

  it('takes any 16 to 128 visible ASCII characters', () => {
    expect(['a'.repeat(16), '~'.repeat(128)].every(isApiKey)).toBe(true)
    expect(['a'.repeat(15), 'a'.repeat(129), `${'a'.repeat(16)} b`, `${'a'.repeat(16)}ä`, ''].some(isApiKey)).toBe(
      false,
    )
  })
})

describe('the vault (architecture.md 6)', () => {
  const vault = new KeyVault(keysOf('1'))
  const apiKey = newApiKey('testnet')

  it('finds a key by a keyed hash that another master key does not give', () => {
    expect(vault.lookup(apiKey)).toEqual(vault.lookup(apiKey))
    expect(vault.lookup(apiKey)).toHaveLength(32)
    expect(new KeyVault(keysOf('2')).lookup(apiKey)).not.toEqual(vault.lookup(apiKey))
  })

  it('opens what it sealed, and nothing for another row, version or master key, or changed bytes', () => {
    const ciphertext = vault.seal('row-1', apiKey)
    const row = { id: 'row-1', version: 1, ciphertext }
    expect(vault.open(row)).toBe(apiKey)
    expect(() => vault.open({ ...row, id: 'row-2' })).toThrow()
    expect(() => vault.open({ ...row, version: 2 })).toThrow()
    expect(() => new KeyVault(keysOf('2')).open(row)).toThrow()
    const changed = Buffer.from(ciphertext)
    changed.writeUInt8(changed.readUInt8(30) ^ 1, 30)
    expect(() => vault.open({ ...row, ciphertext: changed })).toThrow()
    expect(vault.seal('row-1', apiKey)).not.toEqual(ciphertext)
  })

  it('says what to do where there is no master key', () => {
    expect(() => openKeyRing(new EnvironmentKeys(new Map()))).toThrow(/Configure the key with the purpose "master"/)
  })
})
