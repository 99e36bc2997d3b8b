import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { addToKeystore, openKeystore } from './keystore.js'

// Sealed once by scrypt with N 2^17, r 8, p 1. Unit tests work keys out at a lower cost, so this one is none of them.
const FIXTURE = new URL('./fixtures/keystore.json', import.meta.url)
const PASSPHRASE = 'correct horse battery'

it('opens what earlier builds sealed, and seals at the same cost', () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-keystore-'))
  try {
    const file = join(folder, 'keys')
    writeFileSync(file, readFileSync(FIXTURE), { mode: 0o600 })
    expect(openKeystore(file, PASSPHRASE).read('orders')).toBe(`0x${'1a'.repeat(32)}`)
    addToKeystore(file, PASSPHRASE, { name: 'second', privateKey: '2b'.repeat(32), now: 0 })
    const { kdf } = JSON.parse(readFileSync(file, 'utf8'))
    expect(kdf).toMatchObject({ name: 'scrypt', n: 131_072, r: 8, p: 1 })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
