import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { createEd25519Signer, ed25519Address, orderSignerAddress } from '@causeway/core/chain'
import { listKeystore, openKeystore } from '@causeway/core/host'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadConfig } from '../../config/loadConfig.js'
import type { SecretStreams } from '../secretInput.js'
import { changePassphrase, exportKey, importKey, type KeysDeps, listKeys, newKey } from './keysActions.js'

const KEY = `0x${'1a'.repeat(32)}` as const
const PASSPHRASE = 'correct horse battery'

let folder: string
let printed: string[]
let shown: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-keys-'))
  printed = []
  shown = ''
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const config = (keystore: unknown) => ({
  network: 'testnet',
  roles: ['watcher'],
  chains: [],
  keys: {
    ...(keystore === null ? {} : { keystore }),
    order: { keystore: 'orders' },
    allocator: { keystore: 'shared' },
    hd: { keystore: 'shared' },
  },
})

/** A terminal on which the lines are typed one after another, each once it is asked for. */
const terminal = (lines: readonly string[]): SecretStreams => {
  const input = Object.assign(new PassThrough(), { isTTY: true })
  const output = new PassThrough()
  const left = [...lines]
  output.on('data', (chunk: Buffer) => {
    shown += chunk.toString('utf8')
    const line = shown.endsWith(': ') ? left.shift() : undefined
    if (line !== undefined) setImmediate(() => input.write(`${line}\r`))
  })
  return { input, output }
}

const pipe = (text: string): SecretStreams => ({ input: new PassThrough().end(text), output: new PassThrough() })

const open = async (
  streams: SecretStreams,
  environment: Record<string, string> = { PASS: PASSPHRASE },
  keystore: unknown = { file: 'keys.json', passphrase: { env: 'PASS' } },
): Promise<KeysDeps> => ({
  loaded: await loadConfig(join(folder, 'causeway.config.json'), { value: config(keystore), readKeys: false }),
  environment,
  streams,
  print: (line) => printed.push(line),
})

const text = (): string => printed.join('\n')

/** Neither key nor passphrase, on whatever was printed, shown or written. */
const expectNoSecret = (): void => {
  const file = join(folder, 'keys.json')
  const all = `${text()}\n${shown}\n${existsSync(file) ? readFileSync(file, 'utf8') : ''}`
  for (const secret of [KEY.slice(2), PASSPHRASE, 'another passphrase']) expect(all).not.toContain(secret)
}

describe('causeway keys, without any database', () => {
  it('imports from a pipe and lists names, addresses and purposes, never a secret', async () => {
    await importKey(await open(pipe(`${KEY}\n`)), 'shared', {})
    expect(text()).toContain(`shared: ${orderSignerAddress(KEY)}`)
    printed = []
    listKeys(await open(pipe(''), {}), true)
    expect(JSON.parse(text())).toEqual({
      schemaVersion: 1,
      keystore: join(folder, 'keys.json'),
      keys: [
        {
          name: 'shared',
          address: orderSignerAddress(KEY),
          created: expect.any(String),
          purposes: ['allocator', 'hd'],
        },
        { name: 'orders', address: null, created: null, purposes: ['order'] },
      ],
    })
    listKeys(await open(pipe(''), {}), false)
    expect(text()).toMatch(/shared +0x[0-9a-f]{40} +\d{4}-\d\d-\d\d +allocator, hd\norders +missing/)
    expectNoSecret()
  })

  it('asks for passphrase and key on a terminal and shows nothing of what is typed', async () => {
    await importKey(await open(terminal([PASSPHRASE, PASSPHRASE, KEY]), {}), 'shared', {})
    expect(shown.split('\n').filter((line) => line !== '')).toEqual([
      'Passphrase of the new keystore: ',
      'Passphrase of the new keystore again: ',
      'Private key, 64 hex digits or an ed25519 pair: ',
    ])
    await newKey(await open(terminal([PASSPHRASE]), {}), 'orders')
    expectNoSecret()
  })

  it('keeps ed25519 keys beside the others, from what wallets of such chains write', async () => {
    const secret = randomBytes(32)
    const pair = [...secret, ...createEd25519Signer(secret.toString('hex')).publicKey]
    const named = (name: string) => listKeystore(join(folder, 'keys.json')).find((item) => item.name === name)
    await newKey(await open(pipe('')), 'made', 'ed25519')
    expect(named('made')?.address).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)
    writeFileSync(join(folder, 'id.json'), JSON.stringify(pair), { mode: 0o600 })
    await importKey(await open(pipe('')), 'wallet', { file: join(folder, 'id.json'), scheme: 'ed25519' })
    expect(named('wallet')?.address).toBe(ed25519Address(secret))
    writeFileSync(join(folder, 'bad.json'), JSON.stringify([...pair.slice(0, 63), (pair[63] ?? 0) ^ 1]), {
      mode: 0o600,
    })
    const bad = { file: join(folder, 'bad.json'), scheme: 'ed25519' } as const
    await expect(importKey(await open(pipe('')), 'bad', bad)).rejects.toThrow('no ed25519 pair')
  })

  it('imports from a private file or a variable, and refuses a file that others can read', async () => {
    writeFileSync(join(folder, 'a.key'), KEY, { mode: 0o600 })
    writeFileSync(join(folder, 'b.key'), KEY, { mode: 0o644 })
    await importKey(await open(pipe('')), 'a', { file: join(folder, 'a.key') })
    await expect(importKey(await open(pipe('')), 'b', { file: join(folder, 'b.key') })).rejects.toThrow('chmod 600')
    const variable = { PASS: PASSPHRASE, KEY: '2b'.repeat(32) }
    await importKey(await open(pipe(''), variable), 'b', { env: 'KEY' })
    await expect(importKey(await open(pipe(''), variable), 'c', { env: 'NONE' })).rejects.toThrow('not set')
    await expect(importKey(await open(pipe('')), 'c', { file: 'x', env: 'y' })).rejects.toThrow('not both')
    expectNoSecret()
  })

  it('says what is wrong with a key or a passphrase without either', async () => {
    await expect(importKey(await open(pipe('1a1a1a')), 'a', {})).rejects.toThrow(/^A key is 32 bytes(?!.*1a1a)/)
    await expect(newKey(await open(pipe(''), { PASS: 'short' }), 'a')).rejects.toThrow(/at least 12(?!.*short)/)
    await expect(newKey(await open(pipe(''), {}), 'a')).rejects.toThrow('PASS, which is not set')
    await expect(newKey(await open(terminal([PASSPHRASE, `${PASSPHRASE}x`]), {}), 'a')).rejects.toThrow('differ')
    expect(existsSync(join(folder, 'keys.json'))).toBe(false)
  })

  it('changes the passphrase', async () => {
    await newKey(await open(pipe('')), 'orders')
    const next = { PASS: PASSPHRASE, NEXT: 'another passphrase' }
    await changePassphrase(await open(pipe(''), next), { newEnv: 'NEXT' })
    await expect(newKey(await open(pipe('')), 'shared')).rejects.toThrow('is wrong')
    await newKey(await open(pipe(''), { PASS: 'another passphrase' }), 'shared')
    expectNoSecret()
  })

  describe('export', () => {
    const OWN = 'a passphrase of its own'
    const address = orderSignerAddress(KEY)
    const out = () => join(folder, 'shared.export')
    const filled = async () => {
      await importKey(await open(pipe(KEY)), 'shared', {})
      printed = []
    }

    it('writes one key sealed under its own passphrase, which another keystore imports', async () => {
      await filled()
      // The passphrase is typed although the environment has it.
      await exportKey(await open(terminal([PASSPHRASE, address, OWN, OWN])), 'shared', { out: out() })
      expect(statSync(out()).mode & 0o777).toBe(0o600)
      expect(printed).toEqual([])
      expect(shown).toContain(`Wrote shared (${address}) to ${out()}`)
      const all = `${shown}${readFileSync(out(), 'utf8')}`
      for (const secret of [KEY.slice(2), PASSPHRASE, OWN]) expect(all).not.toContain(secret)
      expect(openKeystore(out(), OWN).read('shared')).toBe(KEY)
      const other = { file: 'other.json', passphrase: { env: 'PASS' } }
      await importKey(await open(terminal([OWN]), undefined, other), 'copy', { file: out() })
      expect(openKeystore(join(folder, 'other.json'), PASSPHRASE).read('copy')).toBe(KEY)
    })

    it('is imported by its own passphrase through a pipe, and says which one it wants', async () => {
      await filled()
      await exportKey(await open(terminal([PASSPHRASE, address, OWN, OWN])), 'shared', { out: out() })
      const other = { file: 'other.json', passphrase: { env: 'PASS' } }
      for (const given of ['', PASSPHRASE]) {
        const refused = importKey(await open(pipe(given), undefined, other), 'copy', { file: out() })
        await expect(refused).rejects.toThrow(/shared\.export .*not that of the keystore.*through a pipe/)
      }
      await importKey(await open(pipe(`${OWN}\n`), undefined, other), 'copy', { file: out() })
      expect(openKeystore(join(folder, 'other.json'), PASSPHRASE).read('copy')).toBe(KEY)
    })

    it('refuses pipes, and writes over nothing', async () => {
      await filled()
      const typed = pipe(`${[PASSPHRASE, address, OWN, OWN].join('\n')}\n`)
      await expect(exportKey(await open(typed), 'shared', { out: out() })).rejects.toThrow('at a terminal')
      writeFileSync(out(), 'precious', { mode: 0o600 })
      const all = terminal([PASSPHRASE, address, OWN, OWN])
      await expect(exportKey(await open(all), 'shared', { out: out() })).rejects.toThrow('not written over')
      expect(readFileSync(out(), 'utf8')).toBe('precious')
    })

    it.each([
      ['a wrong passphrase', [`${PASSPHRASE}x`, address, OWN, OWN], 'is wrong'],
      ['another address', [PASSPHRASE, address.replace(/.$/, 'z'), OWN, OWN], 'another address'],
      ['new passphrases that differ', [PASSPHRASE, address, OWN, `${OWN}x`], 'differ'],
      ['a new passphrase that is too short', [PASSPHRASE, address, 'short', 'short'], 'at least 12'],
    ])('writes nothing after %s', async (_what, lines, says) => {
      await filled()
      await expect(exportKey(await open(terminal(lines)), 'shared', { out: out() })).rejects.toThrow(says)
      expect(existsSync(out())).toBe(false)
    })
  })

  it('says how to name a keystore where the configuration has none', async () => {
    await expect(newKey(await open(pipe(''), {}, null), 'a')).rejects.toThrow(/names no keystore.*"keystore": \{/)
  })
})
