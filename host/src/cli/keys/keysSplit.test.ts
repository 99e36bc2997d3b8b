import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { createKeystore, type KeystoreEntry, listKeystore, type OpenKeystore, openKeystore } from '@causeway/core/host'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loadConfig } from '../../config/loadConfig.js'
import { type KeysDeps, newKey } from './keysActions.js'
import { copyKey } from './keysCopy.js'
import { splitKeys } from './keysSplit.js'

const PASSPHRASE = 'correct horse battery'
const OWN = 'a passphrase for the solver'
const NAMES = ['orders', 'master', 'allocator', 'pay', 'paySolana', 'payBitcoin', 'old']
const BITCOIN_TESTNET = 9_092_725
const NODE = 'http://127.0.0.1:1'

/** A keystore of all keys; sealing takes time, so it is made once. */
let sealed: { readonly folder: string; readonly entries: readonly KeystoreEntry[]; readonly opened: OpenKeystore }
let folder: string
let file: string
let printed: string[]

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'causeway-split-'))

/** A deployment of one process, in a folder of its own. */
const deploy = (): void => {
  folder = newFolder()
  file = join(folder, 'causeway.config.json')
  printed = []
  copyFileSync(join(sealed.folder, 'keys.json'), join(folder, 'keys.json'))
  const chain = (id: number, slug: string, packageName: string, options: object) => ({
    ...{ id, slug, name: slug, package: packageName, rpc: ['env:NODE'], options },
  })
  const config = {
    network: 'testnet',
    chains: [
      chain(71_001, 'harbor', '@causeway/chain-evm', { depository: `0x${'7'.repeat(40)}` }),
      chain(1_936_682_084, 'solana-devnet', '@causeway/chain-svm', {
        genesisHash: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
        depository: '11111111111111111111111111111112',
      }),
      // A public address of BIP 173.
      chain(BITCOIN_TESTNET, 'bitcoin-testnet', '@causeway/chain-bvm', {
        depository: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
      }),
    ],
    keys: {
      keystore: { file: 'keys.json', passphrase: { env: 'PASS' } },
      order: { keystore: 'orders' },
      master: { keystore: 'master' },
      allocator: { keystore: 'allocator' },
      operator: { keystore: 'of-operators-elsewhere' },
      payout: {
        '71001': { keystore: 'pay' },
        '1936682084': { keystore: 'paySolana' },
        [BITCOIN_TESTNET]: { keystore: 'payBitcoin' },
      },
    },
  }
  writeFileSync(file, JSON.stringify(config, null, 2))
}

const depsWith = async (environment: Record<string, string>): Promise<KeysDeps> => ({
  loaded: await loadConfig(file, { readKeys: false, environment }),
  environment,
  streams: { input: new PassThrough().end(), output: new PassThrough() },
  print: (line) => printed.push(line),
})

const split = async (
  newEnv: readonly string[] = [],
  environment: Record<string, string> = { PASS: PASSPHRASE },
): Promise<void> => splitKeys(await depsWith(environment), { newEnv })

beforeAll(() => {
  const place = newFolder()
  const made = NAMES.map((name) => ({
    name,
    scheme: name === 'paySolana' ? ('ed25519' as const) : ('secp256k1' as const),
  }))
  sealed = { folder: place, ...createKeystore(join(place, 'keys.json'), PASSPHRASE, made, 0) }
})
afterAll(() => rmSync(sealed.folder, { recursive: true, force: true }))

describe('causeway keys split', () => {
  beforeAll(async () => {
    deploy()
    await split(['solver=OWN'], { PASS: PASSPHRASE, OWN })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const stored = (holder: string): string => join(folder, 'keys', `${holder}.json`)
  const namesIn = (holder: string): readonly string[] => listKeystore(stored(holder)).map(({ name }) => name)

  it('gives each role the keys that it needs and no other, and commands the master key', () => {
    const holders = ['api.json', 'operator.json', 'solver.json', 'webhooks.json']
    expect(readdirSync(join(folder, 'keys')).sort()).toEqual(holders)
    expect(namesIn('api')).toEqual(['orders', 'master'])
    expect(namesIn('webhooks')).toEqual(['master'])
    expect(namesIn('operator')).toEqual(['master'])
    expect([...namesIn('solver')].sort()).toEqual(['allocator', 'pay', 'payBitcoin', 'paySolana'])
    expect(printed.join('\n')).toMatch(/In keys\.json alone: old\n/)
    for (const name of holders) expect(statSync(join(folder, 'keys', name)).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'keys')).mode & 0o777).toBe(0o700)
    for (const name of NAMES) expect(printed.join('\n')).not.toContain(sealed.opened.read(name).slice(2))
  })

  it('seals a role under a passphrase of its own where one is given, the others under the same', () => {
    expect(openKeystore(stored('solver'), OWN).read('pay')).toBe(sealed.opened.read('pay'))
    expect(openKeystore(stored('api'), PASSPHRASE).read('orders')).toBe(sealed.opened.read('orders'))
  })

  it('writes the addresses that the other roles need into the configuration, as each chain derives them', async () => {
    const { config } = await loadConfig(file, { readKeys: false })
    const addressOf = (name: string) => sealed.entries.find((entry) => entry.name === name)?.address
    const [evm, solana, bitcoin] = config.chains.map(({ solver }) => solver)
    expect([evm, solana]).toEqual([addressOf('pay'), addressOf('paySolana')])
    expect(bitcoin).toMatch(/^tb1q[0-9a-z]{38}$/)
  })

  it('makes what every role starts with over the one configuration', async () => {
    const held = async (role: 'api' | 'watcher' | 'webhooks' | 'solver', more: Record<string, string>) => [
      ...(await loadConfig(file, { roles: [role], environment: { PASS: PASSPHRASE, NODE, ...more } })).keys.keys(),
    ]
    expect(await held('api', { KEYSTORE_FILE: 'keys/api.json' })).toEqual(['order', 'master'])
    expect(await held('watcher', {})).toEqual([])
    expect(await held('webhooks', { KEYSTORE_FILE: 'keys/webhooks.json' })).toEqual(['master'])
    const payouts = [71_001, BITCOIN_TESTNET, 1_936_682_084].sort((a, b) => a - b).map((id) => `payout.${id}`)
    expect(await held('solver', { KEYSTORE_FILE: 'keys/solver.json', PASS: OWN })).toEqual(['allocator', ...payouts])
    expect(printed).toContain('  PASS="$OWN" KEYSTORE_FILE=keys/solver.json causeway start --role solver')
    expect(printed).toContain('  KEYSTORE_FILE=keys/api.json causeway start --role api')
    await expect(held('solver', { KEYSTORE_FILE: 'keys/solver.json' })).rejects.toThrow(
      /is wrong.*passphrase of that keystore in the variable PASS/,
    )
    await expect(held('api', {})).rejects.toThrow('may not hold it')
    await expect(held('webhooks', { KEYSTORE_FILE: 'keys/api.json' })).rejects.toThrow('may not hold it')
  })
})

describe('causeway keys, once they were split', () => {
  beforeAll(async () => {
    deploy()
    await split(['solver=OWN'], { PASS: PASSPHRASE, OWN })
    rmSync(join(folder, 'keys.json'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const stored = (holder: string): string => join(folder, 'keys', `${holder}.json`)
  const namesIn = (holder: string): readonly string[] => listKeystore(stored(holder)).map(({ name }) => name)
  const as = (holder: string) => depsWith({ PASS: PASSPHRASE, OWN, KEYSTORE_FILE: `keys/${holder}.json` })

  it('makes no keystore that no process opens, and says which there are', async () => {
    const says = /keys\.json is not there.*keys\/api\.json, keys\/webhooks\.json.*KEYSTORE_FILE=keys\/api\.json/
    await expect(newKey(await depsWith({ PASS: PASSPHRASE }), 'next')).rejects.toThrow(says)
    expect(existsSync(join(folder, 'keys.json'))).toBe(false)
    const start = loadConfig(file, { roles: ['api'], environment: { PASS: PASSPHRASE, NODE } })
    await expect(start).rejects.toThrow(/in KEYSTORE_FILE; there are keys\/api\.json/)
  })

  it('puts one new master key into every keystore that needs it, unseen, each under its own passphrase', async () => {
    printed = []
    await newKey(await as('api'), 'master-2')
    await copyKey(await as('api'), 'master-2', { to: [stored('webhooks'), stored('operator')] })
    await copyKey(await as('api'), 'master-2', { to: [stored('solver')], toEnv: 'OWN' })
    const key = openKeystore(stored('api'), PASSPHRASE).read('master-2')
    for (const [holder, passphrase] of [
      ['webhooks', PASSPHRASE],
      ['operator', PASSPHRASE],
      ['solver', OWN],
    ] as const)
      expect([holder, openKeystore(stored(holder), passphrase).read('master-2')]).toEqual([holder, key])
    expect(printed.join('\n')).not.toContain(key.slice(2))
    // Again, as after an interruption.
    await copyKey(await as('api'), 'master-2', { to: [stored('webhooks')] })
    expect(printed.at(-1)).toMatch(/was in/)
  })

  it('puts a key over no other one of its name, into no keystore of another passphrase, and makes none', async () => {
    await newKey(await as('api'), 'mine')
    await newKey(await as('webhooks'), 'mine')
    const before = readFileSync(stored('webhooks'), 'utf8')
    const copy = async (to: string) => copyKey(await as('api'), 'mine', { to: [to] })
    await expect(copy(stored('webhooks'))).rejects.toThrow(/has another key of that name.*--replace/)
    expect(readFileSync(stored('webhooks'), 'utf8')).toBe(before)
    await expect(copy(stored('solver'))).rejects.toThrow(/is wrong.*--to-env/)
    await expect(copy(stored('watcher'))).rejects.toThrow(/is not there/)
    expect(existsSync(stored('watcher'))).toBe(false)
  })

  it('puts the right key in the place of a wrong one of its name when told to, and keeps that one', async () => {
    await newKey(await as('api'), 'both')
    await newKey(await as('webhooks'), 'both')
    const [right, wrong] = ['api', 'webhooks'].map((holder) => openKeystore(stored(holder), PASSPHRASE).read('both'))
    await copyKey(await as('api'), 'both', { to: [stored('webhooks')], replace: true })
    const opened = openKeystore(stored('webhooks'), PASSPHRASE)
    expect(opened.read('both')).toBe(right)
    const [kept] = listKeystore(stored('webhooks')).filter(({ name }) => name.startsWith('both-replaced-'))
    expect(opened.read(kept?.name ?? '')).toBe(wrong)
    expect(namesIn('webhooks')).toEqual(expect.arrayContaining(['master', 'both']))
  })
})

describe('causeway keys split, where something is wrong', () => {
  beforeEach(deploy)
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it.each([
    ['a passphrase that is wrong', [], { PASS: 'another passphrase' }, /is wrong/],
    ['a new passphrase that is too short', ['api=OWN'], { PASS: PASSPHRASE, OWN: 'short' }, /at least 12/],
    ['a role that holds no key', ['watcher=OWN'], { PASS: PASSPHRASE, OWN }, /is not <role>=<variable>/],
    ['a variable that is not set', ['solver=OWN'], { PASS: PASSPHRASE }, /OWN, which is not set/],
  ])('writes nothing after %s', async (_what, newEnv, environment, says) => {
    const before = readdirSync(folder)
    const config = readFileSync(file, 'utf8')
    await expect(split(newEnv, environment)).rejects.toThrow(says)
    expect(readdirSync(folder)).toEqual(before)
    expect(readFileSync(file, 'utf8')).toBe(config)
  })

  it('says what to do where the keystore of all keys has not all of them any more', async () => {
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('"master"\n', '"master-2"\n'))
    await expect(split()).rejects.toThrow(/has no key "master-2".*split before.*KEYSTORE_FILE/)
    expect(existsSync(join(folder, 'keys'))).toBe(false)
  })

  it.each(['keys', 'keys.new'])('writes over nothing, and says what an interrupted one left: %s', async (name) => {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'api.json'), 'precious')
    await expect(split()).rejects.toThrow(name === 'keys' ? 'not written over' : /keys\.new is there.*remove it/)
    expect(readFileSync(join(folder, name, 'api.json'), 'utf8')).toBe('precious')
    expect(existsSync(join(folder, 'keys', 'solver.json'))).toBe(false)
  })
})
