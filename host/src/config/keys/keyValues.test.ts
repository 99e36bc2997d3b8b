import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecp256k1Signer } from '@causeway/core/chain'
import { addToKeystore } from '@causeway/core/host'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfigError } from '../configProblem.js'
import { type LoadConfigOptions, loadConfig } from '../loadConfig.js'

const PASSPHRASE = 'correct horse battery'
const ORDER = `0x${'1a'.repeat(32)}`
const PAYOUT = `0x${'2b'.repeat(32)}`

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-key-values-'))
  const put = (file: string, name: string, privateKey: string) =>
    addToKeystore(join(folder, file), PASSPHRASE, { name, privateKey, now: 0 })
  put('all.json', 'order', ORDER)
  put('all.json', 'pay', PAYOUT)
  put('api.json', 'order', ORDER)
  writeFileSync(join(folder, 'pass'), `${PASSPHRASE}\n`, { mode: 0o600 })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const config = (file: string, more: object = {}) => ({
  network: 'testnet',
  chains: [
    {
      id: 71_001,
      slug: 'harbor',
      name: 'h',
      package: '@causeway/chain-evm',
      rpc: ['http://127.0.0.1:1'],
      solver: '0x1',
    },
  ],
  keys: {
    keystore: { file, passphrase: { file: 'pass' } },
    order: { keystore: 'order' },
    master: { keystore: 'order' },
    payout: { '71001': { keystore: 'pay' } },
    ...more,
  },
})

const load = (value: object, options: LoadConfigOptions = {}) =>
  loadConfig(join(folder, 'causeway.config.json'), { value, environment: {}, ...options })

const problemsOf = async (value: object, options: LoadConfigOptions = {}) => {
  const error = await load(value, options).catch((thrown: unknown) => thrown)
  if (!(error instanceof ConfigError)) throw new Error('The configuration was accepted.')
  for (const secret of [PASSPHRASE, '1a1a', '2b2b']) expect(error.message).not.toContain(secret)
  return error.problems.map(({ path, message, remedy }) => ({ path, text: `${message} ${remedy}` }))
}

describe('keys from a keystore', () => {
  it('reads those of its roles', async () => {
    const { keys } = await load(config('all.json'))
    expect([...keys]).toEqual([
      ['order', ORDER],
      ['master', ORDER],
      ['payout.71001', PAYOUT],
    ])
  })

  it('says once what is wrong with the keystore itself', async () => {
    const wrong = { keystore: { file: 'all.json', passphrase: { env: 'PASS' } } }
    expect(await problemsOf(config('all.json', wrong))).toEqual([
      { path: 'keys.keystore.passphrase', text: expect.stringContaining('PASS, which is not set') },
    ])
    expect(await problemsOf(config('all.json', wrong), { environment: { PASS: 'wrong passphrase' } })).toEqual([
      { path: 'keys.keystore', text: expect.stringMatching(/passphrase of .*all\.json is wrong/) },
    ])
    expect(await problemsOf(config('none.json'))).toEqual([
      { path: 'keys.keystore', text: expect.stringContaining('causeway keys new') },
    ])
  })

  it('names each key that is not in it, and a reference of two ways', async () => {
    const problems = await problemsOf(config('api.json', { allocator: { env: 'X', keystore: 'order' } }), {
      environment: { X: ORDER },
    })
    expect(problems).toEqual([
      { path: 'keys.allocator', text: expect.stringContaining('exactly one of "env", "file" and "keystore"') },
      { path: 'keys.payout.71001', text: expect.stringContaining('has no key "pay"') },
    ])
  })
})

describe('a role’s process is refused a key it does not need (architecture.md 4)', () => {
  it('lying in the keystore it opens: key, role and remedy are named', async () => {
    expect(await problemsOf(config('all.json'), { roles: ['api'] })).toEqual([
      {
        path: 'keys.payout.71001',
        text: 'is a key of the role "solver"; this process is "api" and may not hold it. Give this process a keystore of its own without "pay": "causeway keys split" makes one for each role.',
      },
    ])
    expect([...(await load(config('api.json'), { roles: ['api'] })).keys.keys()]).toEqual(['order', 'master'])
  })

  it('while one that needs nothing of the keystore leaves it shut, whatever passphrase the environment has', async () => {
    const value = config('all.json', { keystore: { file: 'all.json', passphrase: { env: 'PASS' } } })
    for (const PASS of [PASSPHRASE, 'wrong passphrase'])
      expect([...(await load(value, { roles: ['watcher'], environment: { PASS } })).keys]).toEqual([])
    expect([...(await load(value, { roles: ['watcher'] })).keys]).toEqual([])
  })

  it('nor may any host hold the key of operators, which their commands read', async () => {
    const value = config('all.json', { operator: { env: 'OPERATOR' } })
    const environment = { PASS: PASSPHRASE, OPERATOR: ORDER }
    expect(await problemsOf(value, { roles: ['all'], environment })).toEqual([
      { path: 'keys.operator', text: expect.stringMatching(/a key of operators.*Do not give OPERATOR/) },
    ])
    const { commandKeys } = await load(value, { reader: 'operator', environment })
    expect(commandKeys?.signer('operator').publicKey).toEqual(createSecp256k1Signer(ORDER).publicKey)
  })

  it('while its keystore is the one that KEYSTORE_FILE names in place of the configured one', async () => {
    const environment = { KEYSTORE_FILE: 'api.json' }
    expect([...(await load(config('all.json'), { roles: ['api'], environment })).keys.keys()]).toEqual([
      'order',
      'master',
    ])
    expect(await problemsOf(config('all.json'), { roles: ['solver'], environment })).toEqual(
      expect.arrayContaining([
        { path: 'keys.payout.71001', text: expect.stringMatching(/api\.json has no key "pay"/) },
      ]),
    )
  })

  it('while a process of all roles may hold all', async () => {
    expect((await load(config('all.json'), { roles: ['all'] })).keys.size).toBe(3)
  })
})
