import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  addToKeystore,
  changeKeystorePassphrase,
  createInKeystore,
  divideKeystore,
  listKeystore,
  openKeystore,
} from './keystore.js'
import type { KeystoreDocument, KeystoreError, SealedEntry } from './keystoreFormat.js'

const PASSPHRASE = 'correct horse battery'
const FIRST = `0x${'1a'.repeat(32)}`
const SECOND = `0x${'2b'.repeat(32)}`
const NOW = Date.UTC(2026, 10, 21)

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-keystore-'))
  file = join(folder, 'keys.json')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Made once: the passphrase is slow on purpose. */
let filled: string | null = null

const fillStore = () => {
  if (filled !== null) return writeFileSync(file, filled, { mode: 0o600 })
  addToKeystore(file, PASSPHRASE, { name: 'first', privateKey: FIRST, now: NOW })
  addToKeystore(file, PASSPHRASE, { name: 'second', privateKey: SECOND, now: NOW })
  filled = readFileSync(file, 'utf8')
}

/** What it says; holds neither key nor passphrase, whatever happened. */
const complaint = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    // CAST: anything else has no such name and fails below.
    const { name, message } = error as KeystoreError
    expect(name).toBe('KeystoreError')
    for (const secret of ['1a1a', '2b2b', 'horse']) expect(message).not.toContain(secret)
    return message
  }
  throw new Error('Nothing was refused.')
}

type Editable = { -readonly [Name in keyof KeystoreDocument]: KeystoreDocument[Name] }

const edit = (change: (document: Editable) => void): void => {
  const document = JSON.parse(readFileSync(file, 'utf8'))
  change(document)
  writeFileSync(file, JSON.stringify(document))
}

const withEntry = (at: number, change: Partial<SealedEntry>) => (document: Editable) => {
  document.entries = document.entries.map((entry, place) => (place === at ? { ...entry, ...change } : entry))
}

const flipped = (hex: string): string => `${hex.startsWith('0') ? '1' : '0'}${hex.slice(1)}`

describe('a keystore', () => {
  it('gives back what was put in, shows only public facts, and holds no key in clear', () => {
    fillStore()
    const opened = openKeystore(file, PASSPHRASE)
    expect([opened.read('first'), opened.read('second')]).toEqual([FIRST, SECOND])
    expect(listKeystore(file)).toEqual([
      { name: 'first', address: expect.stringMatching(/^0x[0-9a-f]{40}$/), created: '2026-11-21T00:00:00.000Z' },
      { name: 'second', address: expect.stringMatching(/^0x[0-9a-f]{40}$/), created: '2026-11-21T00:00:00.000Z' },
    ])
    for (const secret of [FIRST, SECOND, PASSPHRASE]) expect(readFileSync(file, 'utf8')).not.toContain(secret.slice(2))
  })

  it('makes random keys that differ', () => {
    createInKeystore(file, PASSPHRASE, { name: 'a', now: NOW })
    createInKeystore(file, PASSPHRASE, { name: 'b', now: NOW })
    const opened = openKeystore(file, PASSPHRASE)
    expect(opened.read('a')).not.toBe(opened.read('b'))
  })

  it('is written whole, mode 0600, and leaves nothing behind', () => {
    createInKeystore(file, PASSPHRASE, { name: 'a', now: NOW })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['keys.json'])
  })

  it('says that the passphrase is wrong', () => {
    fillStore()
    expect(complaint(() => openKeystore(file, 'correct horse batterx'))).toContain('passphrase of')
    expect(complaint(() => createInKeystore(file, 'correct horse batterx', { name: 'third', now: NOW }))).toContain(
      'is wrong',
    )
    expect(listKeystore(file)).toHaveLength(2)
  })

  it.each<[string, (document: Editable) => void]>([
    [
      'ciphertext',
      (document) => withEntry(0, { ciphertext: flipped(document.entries[0]?.ciphertext ?? '') })(document),
    ],
    ['tag', (document) => withEntry(0, { tag: flipped(document.entries[0]?.tag ?? '') })(document)],
    ['nonce', (document) => withEntry(0, { nonce: flipped(document.entries[0]?.nonce ?? '') })(document)],
    ['address', withEntry(0, { address: `0x${'0'.repeat(40)}` })],
    ['created', withEntry(0, { created: '2020-01-01T00:00:00.000Z' })],
  ])('says which entry was changed: %s', (_field, change) => {
    fillStore()
    edit(change)
    const opened = openKeystore(file, PASSPHRASE)
    expect(complaint(() => opened.read('first'))).toContain('"first"')
    expect(opened.read('second')).toBe(SECOND)
  })

  it('says that entries were swapped, keys alone or with their addresses', () => {
    fillStore()
    edit((document) => {
      const [first, second] = document.entries
      if (first === undefined || second === undefined) throw new Error('Expected two')
      document.entries = [
        { ...second, name: first.name },
        { ...first, name: second.name },
      ]
    })
    const opened = openKeystore(file, PASSPHRASE)
    for (const name of ['first', 'second']) expect(complaint(() => opened.read(name))).toContain('another name')
  })

  it.each<[string, RegExp, (document: Editable) => void]>([
    ['another salt', /head of the file/, (document) => Object.assign(document.kdf, { salt: 'ab'.repeat(32) })],
    ['a weaker derivation', /damaged/, (document) => Object.assign(document.kdf, { n: 2 })],
    ['a newer version', /version 2; this build reads version 1/, (document) => Object.assign(document, { version: 2 })],
    ['another format', /is no keystore/, (document) => Object.assign(document, { format: 'x' })],
    ['a name twice', /twice/, (document) => withEntry(1, { name: 'first' })(document)],
    ['a missing field', /damaged/, (document) => Object.assign(document, { entries: [{ name: 'first' }] })],
  ])('refuses a file with %s', (_what, says, change) => {
    fillStore()
    edit(change)
    expect(complaint(() => openKeystore(file, PASSPHRASE))).toMatch(says)
  })

  it('refuses a file that was cut', () => {
    fillStore()
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, -40))
    expect(complaint(() => listKeystore(file))).toContain('not JSON')
  })

  it.each([0o640, 0o604, 0o620])('refuses a file others may read or write (%o)', (mode) => {
    fillStore()
    chmodSync(file, mode)
    expect(complaint(() => listKeystore(file))).toContain('chmod 600')
    expect(complaint(() => createInKeystore(file, PASSPHRASE, { name: 'third', now: NOW }))).toContain('chmod 600')
  })

  it('takes a name and a key once, a passphrase of twelve characters, and no bad name', () => {
    fillStore()
    expect(complaint(() => createInKeystore(file, PASSPHRASE, { name: 'first', now: NOW }))).toContain('already')
    expect(complaint(() => addToKeystore(file, PASSPHRASE, { name: 'x', privateKey: FIRST, now: NOW }))).toContain(
      '"first"',
    )
    expect(
      complaint(() => createInKeystore(join(folder, 'new.json'), 'elevenchars', { name: 'a', now: NOW })),
    ).toContain('at least 12')
    expect(existsSync(join(folder, 'new.json'))).toBe(false)
    expect(complaint(() => createInKeystore(file, PASSPHRASE, { name: '../x', now: NOW }))).toContain('is named with')
    expect(() => addToKeystore(file, PASSPHRASE, { name: 'x', privateKey: '0x1a1a', now: NOW })).toThrow(
      /^A key is 32 bytes/,
    )
  })

  it('lets one change happen at a time', () => {
    fillStore()
    writeFileSync(`${file}.new`, '')
    expect(complaint(() => createInKeystore(file, PASSPHRASE, { name: 'third', now: NOW }))).toContain(
      'another command',
    )
    expect(listKeystore(file)).toHaveLength(2)
  })

  it('is divided into keystores of some keys each, or into none', () => {
    fillStore()
    const part = (name: string, names: readonly string[], passphrase = PASSPHRASE) => ({
      ...{ file: join(folder, name), passphrase, names },
    })
    const divide = (...parts: ReturnType<typeof part>[]) => divideKeystore({ file, passphrase: PASSPHRASE }, parts)
    expect(complaint(() => divide(part('a.json', ['first']), part('b.json', ['third'])))).toContain('no key "third"')
    expect(complaint(() => divide(part('a.json', ['first']), part('b.json', ['second'], 'short')))).toContain(
      'at least',
    )
    expect(readdirSync(folder)).toEqual(['keys.json'])
    expect(divide(part('a.json', ['second'])).read('first')).toBe(FIRST)
    expect(listKeystore(join(folder, 'a.json'))).toEqual(listKeystore(file).filter(({ name }) => name === 'second'))
    expect(openKeystore(join(folder, 'a.json'), PASSPHRASE).read('second')).toBe(SECOND)
    expect(complaint(() => divide(part('a.json', ['first'])))).toContain('is there already')
  })

  it('changes its passphrase, for all keys or not at all', () => {
    fillStore()
    expect(complaint(() => changeKeystorePassphrase(file, 'wrong passphrase', 'another long one'))).toContain(
      'is wrong',
    )
    changeKeystorePassphrase(file, PASSPHRASE, 'another long one')
    expect(openKeystore(file, 'another long one').read('second')).toBe(SECOND)
    expect(complaint(() => openKeystore(file, PASSPHRASE))).toContain('is wrong')
    edit((document) => withEntry(1, { tag: flipped(document.entries[1]?.tag ?? '') })(document))
    const before = readFileSync(file, 'utf8')
    expect(complaint(() => changeKeystorePassphrase(file, 'another long one', PASSPHRASE))).toContain('"second"')
    expect(readFileSync(file, 'utf8')).toBe(before)
  })
})
