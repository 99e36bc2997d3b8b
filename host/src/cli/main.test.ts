import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { main } from './main.js'

let written: string
let folder: string

beforeEach(() => {
  // After an error the command line ends what was half started; here that would be the test's own process.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  folder = mkdtempSync(join(tmpdir(), 'causeway-cli-'))
  written = ''
  const collect = (chunk: unknown): boolean => {
    written += String(chunk)
    return true
  }
  vi.spyOn(process.stdout, 'write').mockImplementation(collect)
  vi.spyOn(process.stderr, 'write').mockImplementation(collect)
  vi.spyOn(console, 'log').mockImplementation(collect)
  vi.spyOn(console, 'error').mockImplementation(collect)
  vi.spyOn(process, 'cwd').mockReturnValue(folder)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  process.exitCode = 0
  rmSync(folder, { recursive: true, force: true })
})

const run = async (...args: string[]): Promise<{ code: unknown; text: string }> => {
  process.exitCode = 0
  await main(args)
  return { code: process.exitCode, text: written }
}

describe('the command line', () => {
  it('explains itself', async () => {
    const { code, text } = await run('--help')
    expect(code).toBe(0)
    const words = [
      'start',
      'migrate',
      'sandbox',
      '--config',
      'create-adapter [options] <name>',
      'create-plugin [options] <name>',
    ]
    for (const word of [...words, 'causeway api-keys create']) expect(text).toContain(word)
  })

  it('lists the commands of plugins without a configuration, a database or a key', async () => {
    const { code, text } = await run('--help')
    expect(code).toBe(0)
    expect(text).toMatch(/Commands of plugins, which need a configuration:/)
    const shown = text.slice(text.indexOf('Commands of plugins')).replaceAll(/\s+/g, ' ')
    const groups = ['api-keys create, import, list', 'dashboard operator-token', 'ledger check, integrators']
    for (const group of [
      ...groups,
      'parked list, show, refund, assign, close',
      'quote-rules list',
      'explain [options] <id>',
    ])
      expect(shown).toContain(group)
    written = ''
    expect(await run('parked', '--help')).toMatchObject({
      code: 0,
      text: expect.stringContaining('refund [options] <deposit>'),
    })
  })

  it('lists those that a configuration leaves, whatever its database and keys', async () => {
    const config = {
      ...{ network: 'testnet', database: { url: 'postgres://127.0.0.1:1/none' }, keys: { order: { file: 'nowhere' } } },
      plugins: [{ package: '@causeway/plugin-operator', enabled: false }],
    }
    writeFileSync(join(folder, 'causeway.config.json'), JSON.stringify(config))
    const { code, text } = await run('--help')
    expect(code).toBe(0)
    expect(text).toMatch(/^ {2}quote-rules /m)
    expect(text).not.toMatch(/^ {2}parked /m)
  })

  it('suggests the command of a plugin for one that is mistyped', async () => {
    expect(await run('prked', 'list')).toMatchObject({ code: 2, text: expect.stringContaining('Did you mean parked?') })
  })

  it('takes the configuration behind the argument of a command that has further words', async () => {
    const { code, text } = await run('backup', 'monday.dump', '--config', 'elsewhere.json')
    expect([code, text]).toEqual([1, expect.stringContaining('elsewhere.json')])
  })

  it('tells its version', async () => {
    expect((await run('--version')).text).toMatch(/^\d+\.\d+\.\d+/)
  })

  it.each([
    { args: ['strat'], says: /Did you mean start/ },
    { args: ['start', '--prot', '1'], says: /Did you mean --port/ },
    { args: ['start', '--role', 'sovler'], says: /Did you mean "solver"/ },
    { args: ['start', '--port', '99999'], says: /is no port/ },
    { args: ['api-keys', 'create'], says: /name one with --config/ },
    { args: ['currencies', 'import', 'list.json'], says: /name one with --config/ },
    { args: ['currencies', 'add', 'base', 'USDC'], says: /There is no causeway\.config/ },
    { args: ['contracts', 'deploy'], says: /There is no causeway\.config/ },
    { args: ['init', '--network', 'moon'], says: /is no network/ },
    { args: ['migrate'], says: /There is no causeway\.config/ },
  ])('refuses $args with code 2 and what to do', async ({ args, says }) => {
    const { code, text } = await run(...args)
    expect(text).toMatch(says)
    expect(code).toBe(2)
    expect(text).not.toMatch(/\n\s+at /)
  })

  it('lists signing keys without any database or key', async () => {
    const keys = { keystore: { file: 'keys.json', passphrase: { env: 'NOT_SET' } }, order: { keystore: 'orders' } }
    const config = { network: 'testnet', roles: ['watcher'], database: { url: 'postgres://127.0.0.1:1/none' }, keys }
    writeFileSync(join(folder, 'causeway.config.json'), JSON.stringify(config))
    const { code, text } = await run('keys', 'list')
    expect(text).toMatch(/orders +missing +- +order/)
    expect(code).toBe(0)
  })

  it.each(['create-adapter', 'create-plugin'])('writes a package by %s, once', async (word) => {
    const made = join(folder, 'made')
    expect(await run(word, 'causeway-acme', '--folder', made)).toMatchObject({
      code: 0,
      text: expect.stringMatching(/^Wrote [0-9]+ files to .*What now:/),
    })
    expect(await run(word, 'causeway-acme', '--folder', made)).toMatchObject({
      code: 2,
      text: expect.stringContaining('is not empty'),
    })
  })

  it('takes no key on the command line', async () => {
    const { code, text } = await run('keys', 'import', 'orders', '1a'.repeat(32))
    expect(text).toMatch(/too many arguments/)
    expect(text).not.toContain('1a1a')
    expect(code).toBe(2)
  })

  it('reports a bad configuration with code 1', async () => {
    writeFileSync(join(folder, 'bad.json'), '{ "network": "testnet", "chians": [] }')
    const { code, text } = await run('start', '--config', join(folder, 'bad.json'))
    expect(text).toMatch(/bad\.json:1\s+chians is not a known setting\. Did you mean "chains"\?/)
    expect(code).toBe(1)
  })
})
