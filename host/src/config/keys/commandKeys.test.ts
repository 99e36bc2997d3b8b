import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadConfig } from '../loadConfig.js'
import { type CommandKeys, MissingKeyError } from './commandKeys.js'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-command-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const chain = {
  id: 71_001,
  slug: 'harbor',
  name: 'harbor',
  package: '@causeway/chain-evm',
  rpc: ['http://127.0.0.1:1'],
}
const KEYS = {
  order: { file: 'run/order_key' },
  master: { file: 'master_key' },
  allocator: { file: 'run/allocator_key' },
  payout: { '71001': { file: 'run/payout_key' } },
}

const load = (reader: 'operator' | 'doctor', more: object = {}) =>
  loadConfig(join(folder, 'causeway.config.json'), {
    ...{ reader, environment: {}, value: { network: 'testnet', chains: [chain], keys: KEYS, ...more } },
  })

const keysOf = async (more: object = {}): Promise<CommandKeys> => {
  const { commandKeys } = await load('operator', more)
  if (commandKeys === null) throw new Error('It is no command.')
  return commandKeys
}

const putMaster = (text = '5a'.repeat(32), mode = 0o600) => writeFileSync(join(folder, 'master_key'), text, { mode })

describe("keys of an operator's command", () => {
  it('none has to be there: it has no role, and reads none before it asks', async () => {
    const loaded = await load('operator')
    expect(loaded.config.roles).toEqual([])
    expect([...loaded.keys.keys()]).toEqual([])
  })

  it('holds no signing key, even where it lies beside it', async () => {
    const keys = await keysOf({ keys: { ...KEYS, payout: { '71001': { file: 'master_key' } } } })
    putMaster()
    expect(keys.has('payout.71001')).toBe(false)
    expect(() => keys.signer('payout.71001')).toThrow(/holds none. Run it with --role/)
  })

  it('reads the master key when it is asked for', async () => {
    const keys = await keysOf()
    putMaster()
    expect(keys.derive('test')).toHaveLength(32)
    expect(keys.readable().has('master')).toBe(true)
  })

  it('says which key is missing, where it was looked for, and what to do', async () => {
    const keys = await keysOf()
    expect(keys.readable().has('master')).toBe(false)
    expect(() => keys.derive('test')).toThrow(MissingKeyError)
    expect(() => keys.derive('test')).toThrow(
      /needs the key "master": keys\.master names \S+master_key, which cannot be read/,
    )
    const without = await keysOf({ keys: {} })
    expect(() => without.derive('test')).toThrow(/"master", which the configuration does not name/)
  })
})

describe('keys that a doctor looks for', () => {
  it('what is not here is told and no problem; what is here is read', async () => {
    putMaster()
    const { keys, absent } = await load('doctor')
    expect([...keys.keys()]).toEqual(['master'])
    expect(absent.map(({ path }) => path)).toEqual(['keys.order', 'keys.allocator', 'keys.payout.71001'])
  })

  it('what is here and wrong is a problem', async () => {
    putMaster('no key')
    await expect(load('doctor')).rejects.toThrow(/keys\.master holds no key/)
    putMaster()
    const shared = mkdtempSync(join(folder, 'shared-'))
    writeFileSync(join(shared, 'key'), '5a'.repeat(32), { mode: 0o644 })
    await expect(load('doctor', { keys: { master: { file: join(shared, 'key') } } })).rejects.toThrow(/others can read/)
  })

  it('in a configuration of fixed roles every key must be here, as for its host', async () => {
    putMaster()
    await expect(load('doctor', { roles: ['solver'], keys: { payout: KEYS.payout } })).rejects.toThrow(
      /keys\.payout\.71001 names \S+payout_key, which cannot be read/,
    )
  })

  it('a keystore is of its machine: one without the key, or none at all, is no problem', async () => {
    const keystore = { file: 'keys.json', passphrase: { env: 'NOT_SET' } }
    putMaster()
    const keys = {
      keystore,
      order: { keystore: 'orders' },
      master: KEYS.master,
      payout: { '71001': { keystore: 'payout' } },
    }
    const { absent } = await load('doctor', { keys })
    expect(absent.map(({ path }) => path)).toEqual(['keys.keystore'])
  })
})
