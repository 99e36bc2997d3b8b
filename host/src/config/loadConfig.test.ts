import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ConfigError } from './configProblem.js'
import { type LoadConfigOptions, loadConfig } from './loadConfig.js'

let folder: string
const secret = 'ab'.repeat(32)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-config-'))
  for (const name of ['order', 'master', 'payout']) {
    writeFileSync(join(folder, `${name}.key`), `0x${secret}\n`, { mode: 0o600 })
  }
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

type Editable = Record<string, unknown> & { chains: Record<string, unknown>[]; keys: Record<string, unknown> }

const chain = (id: number, slug: string) => ({
  id,
  slug,
  name: slug,
  package: '@causeway/chain-evm',
  rpc: ['http://127.0.0.1:8545/v2/top-secret-path'],
})

const good = (): Editable => ({
  network: 'testnet',
  chains: [chain(71_001, 'harbor'), chain(71_002, 'lagoon')],
  keys: {
    order: { file: 'order.key' },
    master: { file: 'master.key' },
    payout: { '71001': { file: 'payout.key' }, '71002': { env: 'PAYOUT' } },
  },
})

const load = (config: unknown, options: LoadConfigOptions = {}) => {
  const file = join(folder, 'causeway.config.json')
  writeFileSync(file, typeof config === 'string' ? config : JSON.stringify(config, null, 2))
  return loadConfig(file, { environment: { PAYOUT: secret }, ...options })
}

const refusal = async (config: unknown, options: LoadConfigOptions = {}): Promise<ConfigError> => {
  const error = await load(config, options).catch((thrown: unknown) => thrown)
  if (!(error instanceof ConfigError)) throw new Error('The configuration was accepted.')
  return error
}

interface Bad {
  readonly what: string
  edit(config: Editable): void
  readonly path: string
  readonly says: RegExp
  readonly options?: LoadConfigOptions
}

const first = (config: Editable): Record<string, unknown> => config.chains[0] ?? {}

const table: readonly Bad[] = [
  {
    what: 'a typo in a key',
    edit: (config) => Object.assign(config, { serviceNmae: 'x' }),
    path: 'serviceNmae',
    says: /Did you mean "serviceName"\?/,
  },
  {
    what: 'a typo deep inside',
    edit: (config) => Object.assign(first(config), { curencies: [] }),
    path: 'chains[0].curencies',
    says: /Did you mean "currencies"\?/,
  },
  {
    what: 'a typo in a word',
    edit: (config) => Object.assign(config, { network: 'testent' }),
    path: 'network',
    says: /Did you mean "testnet"\?/,
  },
  {
    what: 'milliseconds for seconds',
    edit: (config) => Object.assign(config, { prices: { maxAgeSeconds: 300_000 } }),
    path: 'prices.maxAgeSeconds',
    says: /counts seconds; was it meant in milliseconds/,
  },
  {
    what: 'a price server whose key is not set',
    edit: (config) => Object.assign(config, { prices: { coingecko: [{ apiKey: { env: 'PRICE_KEY' } }] } }),
    path: 'prices.coingecko[0].apiKey.env',
    says: /PRICE_KEY, which is not set/,
  },
  {
    what: 'a key of a price server that no header can carry',
    edit: (config) => Object.assign(config, { prices: { pyth: [{ apiKey: { env: 'PRICE_KEY' } }] } }),
    path: 'prices.pyth[0].apiKey.env',
    says: /which holds no key/,
    options: { environment: { PAYOUT: secret, PRICE_KEY: `${secret}\nhost: elsewhere` } },
  },
  {
    what: 'prices kept until they are too old',
    edit: (config) => Object.assign(config, { prices: { maxAgeSeconds: 20, pyth: [{ keepSeconds: 21 }] } }),
    path: 'prices.pyth[0].keepSeconds',
    says: /longer than "prices.maxAgeSeconds"/,
  },
  {
    what: 'a feed id that is none',
    edit: (config) => Object.assign(config, { prices: { pyth: [{ feeds: { eth: 'ETH/USD' } }] } }),
    path: 'prices.pyth[0].feeds.eth',
    says: /must match pattern/,
  },
  {
    what: 'a reference for pools that is no currency',
    edit: (config) => Object.assign(config, { prices: { dex: { references: ['USDC'] } } }),
    path: 'prices.dex.references[0]',
    says: /symbol of no configured currency/,
  },
  {
    what: 'two chains with one id',
    edit: (config) => Object.assign(config.chains[1] ?? {}, { id: 71_001 }),
    path: 'chains[1].id',
    says: /which chains\[0\]\.id has already/,
  },
  {
    what: 'two chains with one slug',
    edit: (config) => Object.assign(config.chains[1] ?? {}, { slug: 'harbor' }),
    path: 'chains[1].slug',
    says: /which chains\[0\]\.slug has already/,
  },
  {
    what: 'a chain of real money in a test deployment',
    edit: (config) => Object.assign(first(config), { id: 8453 }),
    path: 'chains[0].id',
    says: /a chain of mainnet, in a deployment of testnet/,
  },
  ...[537_725, 1_936_682_084, 9_092_725].map((id) => ({
    what: `test network ${id} in a deployment of real money`,
    edit: (config: Editable) => {
      config.network = 'mainnet'
      Object.assign(first(config), { id })
    },
    path: 'chains[0].id',
    says: /a chain of testnet, in a deployment of mainnet/,
  })),
  {
    what: 'a missing setting',
    edit: (config) => {
      delete first(config).rpc
    },
    path: 'chains[0].rpc',
    says: /is missing/,
  },
  {
    what: 'an RPC URL of another kind',
    edit: (config) => Object.assign(first(config), { rpc: ['ftp://user:secret-word@x'] }),
    path: 'chains[0].rpc[0].http',
    says: /must begin with http:\/\/ or https:\/\//,
  },
  {
    what: 'a limit for a currency the chain does not have',
    edit: (config) => Object.assign(first(config), { limits: { perHour: [{ currency: '0x01', amount: '1' }] } }),
    path: 'chains[0].limits.perHour[0]',
    says: /no currency of this chain/,
  },
  {
    what: 'a limit finer than its currency',
    edit: (config) =>
      Object.assign(first(config), {
        currencies: [{ address: '0x01', symbol: 'A', name: 'A', decimals: 2, groupId: 'a' }],
        limits: { perHour: [{ currency: '0x01', amount: '1.001' }] },
      }),
    path: 'chains[0].limits.perHour[0].amount',
    says: /finer than A with its 2 decimals/,
  },
  {
    what: 'one currency twice',
    edit: (config) => {
      const currency = { symbol: 'A', name: 'A', decimals: 6, groupId: 'a' }
      first(config).currencies = [
        { ...currency, address: '0xAB' },
        { ...currency, address: '0xab' },
      ]
    },
    path: 'chains[0].currencies[1].address',
    says: /has already/,
  },
  {
    what: 'finality in the newest block before success',
    edit: (config) => Object.assign(first(config), { confirmations: { success: 2, settle: 0 } }),
    path: 'chains[0].confirmations.settle',
    says: /Money is final last/,
  },
  {
    what: 'finality before success',
    edit: (config) => Object.assign(first(config), { confirmations: { success: 20, settle: 10 } }),
    path: 'chains[0].confirmations.settle',
    says: /Money is final last/,
  },
  {
    what: 'more agreeing providers than there are',
    edit: (config) => Object.assign(first(config), { quorum: [{ aboveUsd: '1000', agreeing: 4 }] }),
    path: 'chains[0].quorum[0].agreeing',
    says: /Endpoints of one provider count once/,
  },
  {
    what: 'a payout key of a chain that is not there',
    edit: (config) => Object.assign(config.keys.payout as object, { '5': { file: 'payout.key' } }),
    path: 'keys.payout.5',
    says: /not configured/,
  },
  {
    what: 'no payout key for a chain',
    edit: (config) => Object.assign(config.keys, { payout: { '71001': { file: 'payout.key' } } }),
    path: 'keys.payout.71002',
    says: /is missing/,
  },
  {
    what: 'a key variable that is not set',
    edit: () => undefined,
    options: { environment: {} },
    path: 'keys.payout.71002',
    says: /PAYOUT, which is not set/,
  },
  {
    what: 'a key that is none',
    edit: () => undefined,
    options: { environment: { PAYOUT: `${secret}00` } },
    path: 'keys.payout.71002',
    says: /holds no key/,
  },
  {
    what: 'a key of another role in the environment',
    edit: (config) =>
      Object.assign(first(config), { solver: '0x1' }) && Object.assign(config.chains[1] ?? {}, { solver: '0x1' }),
    options: { roles: ['api'] },
    path: 'keys.payout.71002',
    says: /is a key of the role "solver"; this process is "api"/,
  },
  {
    what: 'a key of another role in a configuration of fixed roles',
    edit: (config) => Object.assign(config, { roles: ['solver'] }),
    path: 'keys.order',
    says: /is a key of the role "api"; this process is "solver"/,
  },
  {
    what: 'a port that is none',
    edit: () => undefined,
    options: { environment: { PAYOUT: secret, PORT: 'http' } },
    path: 'http.port',
    says: /PORT/,
  },
  {
    what: 'a console on a listener that others reach',
    edit: (config) => Object.assign(config, { http: { host: '0.0.0.0', console: { shared: true } } }),
    path: 'http.console.shared',
    says: /which others reach.*a listener of its own/,
  },
]

describe('configuration (faults.md F109)', () => {
  it.each(table)('refuses $what', async ({ edit, path, says, options }) => {
    const config = good()
    edit(config)
    const { problems } = await refusal(config, options)
    expect(problems.map((problem) => problem.path)).toContain(path)
    const problem = problems.find((candidate) => candidate.path === path)
    expect(`${problem?.message} ${problem?.remedy}`).toMatch(says)
    expect(problem?.line).toBeGreaterThan(0)
  })

  it('reports every problem at once, each with file and line, and never a secret', async () => {
    const config = good()
    for (const { edit } of table.slice(0, 4)) edit(config)
    const error = await refusal(config)
    expect(error.problems.length).toBeGreaterThanOrEqual(4)
    expect(error.message.match(/causeway\.config\.json:\d+ /g)?.length).toBe(error.problems.length)
    expect(error.message).not.toMatch(/top-secret|secret-word|abab/)
  })

  it('names the line of each setting in JSON', async () => {
    const text = '{\n  "network": "testnet",\n  "chains": [],\n  "keys": {\n    "ordr": {}\n  }\n}'
    expect((await refusal(text)).problems[0]).toMatchObject({ path: 'keys.ordr', line: 5 })
  })

  it('names the line where JSON breaks', async () => {
    const error = await refusal('{\n  "network": "testnet",\n  "chains": [,]\n}')
    expect(error.problems[0]).toMatchObject({ line: 3, message: 'is not valid JSON here.' })
  })

  it('refuses a key file that others can read', async () => {
    chmodSync(join(folder, 'order.key'), 0o644)
    expect((await refusal(good())).message).toMatch(/others can read.*chmod 600/)
  })
})

describe('a good configuration', () => {
  it('gets its defaults, and the keys of its roles alone', async () => {
    const all = await load(good())
    expect(all.config).toMatchObject({
      serviceName: 'relay',
      http: { port: 3000, bodyLimitKiB: 256 },
      roles: ['api', 'watcher', 'solver', 'webhooks'],
    })
    expect(all.config.chains[0]).toMatchObject({
      rpc: [{ http: 'http://127.0.0.1:8545/v2/top-secret-path' }],
      confirmations: { fill: 1, success: 1, settle: 10, settleSeconds: 60 },
    })
    expect([...all.keys.keys()].sort()).toEqual(['master', 'order', 'payout.71001', 'payout.71002'])
    const solver = await load(good(), { roles: ['solver'] })
    expect([...solver.keys.keys()].sort()).toEqual(['payout.71001', 'payout.71002'])
    expect(solver.config.http.port).toBe(0)
  })

  it('serves processes of every role, each of which finds its own secrets only', async () => {
    const config = good()
    for (const [at, item] of config.chains.entries()) Object.assign(item, { solver: `0x${String(at).repeat(40)}` })
    for (const name of ['order', 'master']) rmSync(join(folder, `${name}.key`))
    const solver = await load(config, { roles: ['solver'] })
    expect([...solver.keys.keys()].sort()).toEqual(['payout.71001', 'payout.71002'])
    const watcher = await load(config, { roles: ['watcher'], environment: {} })
    expect([...watcher.keys.keys()]).toEqual([])
    await expect(load(config, { roles: ['webhooks'], environment: {} })).rejects.toThrow(/keys\.master names/)
  })

  it('listens where PORT says, whatever the role', async () => {
    for (const role of ['api', 'watcher'] as const) {
      const config = good()
      for (const item of config.chains) Object.assign(item, { solver: `0x${'1'.repeat(40)}` })
      expect((await load(config, { roles: [role], environment: { PORT: '4100' } })).config.http.port).toBe(4100)
    }
  })

  it('may be TypeScript', async () => {
    const file = join(folder, 'causeway.config.ts')
    const own = JSON.stringify(good())
    writeFileSync(file, `const config: object = ${own}\nexport default config\n`)
    const loaded = await loadConfig(file, { environment: { PAYOUT: secret } })
    expect(loaded.config.chains).toHaveLength(2)
    writeFileSync(file, `export default {\n  network: 'testnet',\n  serviceNmae: 'x',\n}\n`)
    await expect(loadConfig(file)).rejects.toThrow(/causeway\.config\.ts:3\s+serviceNmae/)
  })
})
