import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FaultProxy, startFaultProxy } from '@causeway/chain-evm/testing'
import type { CurrencyConfig, Diagnosis } from '@causeway/core/chain'
import { moveClock, raiseProviderAlert } from '@causeway/core/host'
import { createPool, type Role } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { runDoctor } from '@causeway/host'
import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { type HostProcess, hostCommand, startHostProcess } from '../harness/host/hostProcess.js'
import { type LocalNetwork, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { freshAddress } from '../harness/transfer.js'
import { until } from '../harness/until.js'

const TIMEOUT_MS = 4_000

interface ChainJson {
  id: number
  rpc: { http: string; ws?: string; provider?: string }[]
  solver?: string
  currencies: CurrencyConfig[]
  options: Record<string, unknown>
}

interface ConfigJson {
  database: { url: string }
  chains: [ChainJson, ChainJson]
  [field: string]: unknown
}

interface Planted {
  readonly config: ConfigJson
  readonly environment: Record<string, string | undefined>
}

let network: LocalNetwork
let database: TestDatabase
let pool: Pool
let host: HostProcess
let proxy: FaultProxy
let healthy: { readonly text: string; readonly environment: NodeJS.ProcessEnv }

beforeAll(async () => {
  network = await startLocalNetwork()
  database = await createTestDatabase({ packages: [] })
  host = await startHostProcess({ network, databaseUrl: database.url })
  proxy = await startFaultProxy(network.chains[0].chain.rpcUrl)
  pool = createPool({ connectionString: database.url, max: 2, applicationName: 'causeway test' })
  await until('every lane and watcher to be held', async () => {
    const { rows } = await pool.query<{ count: number }>(
      `select count(*)::int as count from leases where expires_at > clock_timestamp() and name ~ '^(lane|watch):'`,
    )
    return rows[0]?.count === 4 ? true : null
  })
  const { args, env } = await hostCommand({ network, databaseUrl: database.url })
  healthy = { text: readFileSync(args[3] ?? '', 'utf8'), environment: env }
})
afterAll(async () => {
  host?.signal('SIGKILL')
  await host?.ended
  await pool?.end()
  await proxy?.close()
  await database?.drop()
  await network?.close()
})

/** Runs the doctor on the healthy deployment with something changed. */
const diagnose = async (
  plant: (planted: Planted) => void | Promise<void> = () => undefined,
  roles?: readonly Role[],
) => {
  // CAST: written by the harness.
  const planted: Planted = { config: JSON.parse(healthy.text) as ConfigJson, environment: { ...healthy.environment } }
  await plant(planted)
  const folder = mkdtempSync(join(tmpdir(), 'causeway-doctor-'))
  writeFileSync(
    join(folder, 'prices.json'),
    JSON.stringify(planted.config.testPrices ?? { eth: '2000', usdc: '1', busd: '1' }),
  )
  delete planted.config.testPrices
  const configPath = join(folder, 'causeway.config.json')
  writeFileSync(configPath, JSON.stringify(planted.config, null, 2))
  return runDoctor({ configPath, roles, timeoutMs: TIMEOUT_MS, environment: planted.environment })
}

const faultsOf = (findings: readonly Diagnosis[]): readonly Diagnosis[] =>
  findings.filter(({ state, check }) => state === 'fault' && check !== 'database durability')

it('a healthy deployment has no fault; that its server does not flush is one of every test', async () => {
  const findings = await diagnose()
  expect(faultsOf(findings)).toEqual([])
  expect(findings.find(({ check }) => check === 'database durability')?.state).toBe('fault')
  const checks = new Set(findings.filter(({ state }) => state === 'ok').map(({ check }) => check))
  for (const check of [
    'node',
    'configuration',
    'rpc',
    'rpc head',
    'rpc log range',
    'rpc websocket',
    'contract',
    'allocator',
  ])
    expect(checks).toContain(check)
  for (const check of ['database', 'migrations', 'clock', 'business clock', 'hosts', 'wallet', 'prices'])
    expect(checks).toContain(check)
  // Whether they are enough is up to the machine.
  const message = expect.stringContaining('"http.maxConnections" is 25000')
  expect(findings).toContainEqual(expect.objectContaining({ check: 'open files', message }))
})

it('shows no URL, key or password', async () => {
  const text = JSON.stringify(
    await diagnose(({ config }) => {
      config.chains[0].rpc.push({ http: 'http://127.0.0.1:1/secret-path', provider: 'away' })
    }),
  )
  for (const secret of ['://', 'secret-path', network.roles.solver.privateKey.slice(2)])
    expect(text).not.toContain(secret)
})

const oldBlock = (result: unknown): unknown =>
  typeof result === 'object' && result !== null ? { ...result, timestamp: '0x5f5e100' } : result

const faults: readonly (readonly [string, string, RegExp, (planted: Planted) => void | Promise<void>])[] = [
  ['a mistyped field', 'configuration', /databse/, ({ config }) => void Object.assign(config, { databse: {} })],
  [
    'a key file that others can read',
    'configuration',
    /allocator/,
    ({ config }) => {
      const file = join(mkdtempSync(join(tmpdir(), 'causeway-doctor-')), 'allocator.key')
      writeFileSync(file, network.roles.allocator.privateKey)
      chmodSync(file, 0o644)
      Object.assign(config.keys ?? {}, { allocator: { file } })
    },
  ],
  [
    'a payout key of another account than the configured solver',
    'configuration',
    /solver/,
    ({ environment }) => void Object.assign(environment, { TEST_KEY_PAYOUT: userOf(network, 0).privateKey }),
  ],
  [
    'a console that a proxy shows',
    'console',
    /bring \/console and \/metrics to whoever they serve/,
    ({ config }) => void Object.assign(config, { http: { console: { shared: true }, trustedProxies: ['127.0.0.1'] } }),
  ],
  [
    'an endpoint of another chain',
    'rpc chain id',
    /it serves 70002, configured is 70001/,
    ({ config }) => void config.chains[0].rpc.push({ http: network.chains[1].chain.rpcUrl, provider: 'other' }),
  ],
  [
    'an endpoint without http:// before it',
    'configuration',
    /rpc\[1\]\.http must begin with http:\/\/ or https:\/\//,
    ({ config }) => void config.chains[0].rpc.push({ http: 'node.example/v2', provider: 'bare' }),
  ],
  [
    'a node that refuses to show contracts',
    'chain',
    /its contracts and accounts could not be read by/,
    ({ config }) => {
      proxy.add('eth_getCode', { error: { code: -32000, message: 'state is not available' } })
      config.chains[0].rpc[0] = { http: proxy.url, provider: 'pruned' }
    },
  ],
  [
    'an endpoint that is away',
    'rpc',
    /does not answer/,
    ({ config }) => void config.chains[0].rpc.push({ http: 'http://127.0.0.1:1', provider: 'away' }),
  ],
  [
    'an endpoint whose head is old',
    'rpc head',
    /newest block is \d+ s old/,
    ({ config }) => {
      proxy.add('eth_getBlockByNumber', { rewrite: oldBlock })
      config.chains[0].rpc.push({ http: proxy.url, provider: 'old' })
    },
  ],
  [
    'an endpoint that gives few logs',
    'rpc log range',
    /gives \d blocks at once/,
    ({ config }) => {
      const when = ([filter]: readonly unknown[]) => {
        const { fromBlock, toBlock } = filter as { fromBlock: string; toBlock: string }
        return Number(toBlock) - Number(fromBlock) >= 8
      }
      proxy.add('eth_getLogs', { when, error: { code: -32005, message: 'range too large' } })
      config.chains[0].rpc.push({ http: proxy.url, provider: 'narrow' })
    },
  ],
  [
    'a websocket that says nothing',
    'rpc websocket',
    /no block within/,
    async ({ config }) => {
      const server = createServer()
      new WebSocketServer({ server })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      server.unref()
      // CAST: a server that listens on TCP.
      const { port } = server.address() as AddressInfo
      config.chains[0].rpc[0] = { http: network.chains[0].chain.rpcUrl, ws: `ws://127.0.0.1:${port}` }
    },
  ],
  [
    'a fill router that is not there',
    'contract',
    /no contract/,
    ({ config }) => void Object.assign(config.chains[1].options, { fillRouter: freshAddress() }),
  ],
  [
    'a token as fill router',
    'contract',
    /has other code than this release/,
    ({ config }) => void Object.assign(config.chains[1].options, { fillRouter: network.chains[1].usdc }),
  ],
  [
    'a token with other decimals than on its chain',
    'currency',
    /has 6 decimals on the chain, and the configuration says 8/,
    ({ config }) => {
      config.chains[0].currencies = network.chains[0].currencies.map((item) =>
        item.symbol === 'USDC' ? { ...item, decimals: 8 } : item,
      )
    },
  ],
  [
    'a depository of another allocator',
    'allocator',
    /not the allocator key/,
    ({ environment }) => void Object.assign(environment, { TEST_KEY_ALLOCATOR: userOf(network, 0).privateKey }),
  ],
  [
    'a wallet without gas',
    'wallet',
    /too little ETH/,
    ({ config, environment }) => {
      Object.assign(environment, { TEST_KEY_PAYOUT: `0x${'77'.repeat(32)}` })
      for (const chain of config.chains) delete chain.solver
    },
  ],
  [
    'a currency without a price',
    'prices',
    /USDC/,
    ({ config }) => void Object.assign(config, { testPrices: { eth: '2000', busd: '1' } }),
  ],
  [
    'a price server that is away',
    'prices',
    /^failed: It could not be reached$/,
    ({ config }) =>
      void Object.assign(config.prices ?? {}, {
        coingecko: [{ name: 'away', url: 'http://127.0.0.1:1/secret-path', ids: { eth: 'ethereum' } }],
        minimumSources: 1,
      }),
  ],
  [
    'too few sources of prices',
    'prices',
    /ETH is known to too few sources/,
    ({ config }) => void Object.assign(config.prices ?? {}, { minimumSources: 2 }),
  ],
  [
    'a database that is away',
    'database',
    /cannot be reached/,
    ({ config }) => {
      config.database.url = 'postgres://nobody@127.0.0.1:1/nothing'
    },
  ],
  [
    'a database without tables',
    'migrations',
    /not applied/,
    async ({ config }) => {
      const empty = await createTestDatabase({ packages: [] })
      config.database.url = empty.url
    },
  ],
  ['a moved clock', 'business clock', /moved by 3600 s/, () => moveClock(pool, 3_600_000)],
  [
    'a quarantined lane',
    'lane',
    /quarantined: planted/,
    () =>
      pool
        .query(`update lanes set state = 'quarantined', reason = 'planted' where chain_id = $1`, [
          network.chains[0].chain.chainId,
        ])
        .then(() => undefined),
  ],
  [
    'a halted chain',
    'halt',
    /11 blocks were replaced where 10 are called final/,
    () =>
      pool
        .query('insert into chain_halts values ($1, 100, 11, 10, now())', [network.chains[0].chain.chainId])
        .then(() => undefined),
  ],
  [
    'providers that contradict each other',
    'providers',
    /providers-disagree/,
    () =>
      raiseProviderAlert(
        pool,
        {
          chainId: network.chains[0].chain.chainId,
          kind: 'providers-disagree',
          subject: 'deposit',
          details: 'planted',
        },
        Date.now(),
      ).then(() => undefined),
  ],
]

describe.each(faults)('%s', (_name, check, words, plant) => {
  it(`is found by the check "${check}", with its remedy`, async () => {
    const found = faultsOf(await diagnose(plant))
    proxy.clear()
    await moveClock(pool, 0)
    await pool.query(`update lanes set state = 'open', reason = null`)
    await pool.query('delete from provider_alerts')
    await pool.query('delete from chain_halts')
    expect([...new Set(found.map((fault) => fault.check))]).toEqual([check])
    expect(found.map(({ message }) => message).join('\n')).toMatch(words)
    for (const { remedy } of found) expect(remedy).toMatch(/\w{3}/)
  })
})

describe('where keys or the database are elsewhere', () => {
  it('says of each what could not be looked at, and looks at everything else', async () => {
    const findings = await diagnose(({ environment }) => {
      for (const name of Object.keys(environment)) if (name.startsWith('TEST_KEY_')) delete environment[name]
    })
    const unchecked = findings.filter(({ state }) => state === 'unchecked').map(({ subject }) => subject)
    expect(unchecked).toEqual(
      expect.arrayContaining(['keys.order', 'keys.master', 'keys.allocator', 'keys.payout.70001']),
    )
    expect(faultsOf(findings)).toEqual([])
    const looked = findings.filter(({ state }) => state === 'ok').map(({ check }) => check)
    expect(looked).toEqual(expect.arrayContaining(['wallet', 'migrations', 'rpc', 'prices', 'hosts']))
  })

  it('as the host of a role that lacks a key, says so, looks at what needs none, and names the rest', async () => {
    const without = ({ environment }: Planted): void => {
      for (const name of Object.keys(environment)) if (name.startsWith('TEST_KEY_')) delete environment[name]
    }
    const findings = await diagnose(without, ['solver'])
    const missing = faultsOf(findings).map(({ message }) => message.split(' ')[0])
    expect(missing).toEqual(expect.arrayContaining(['keys.allocator', 'keys.payout.70001', 'keys.payout.70002']))
    expect(new Set(faultsOf(findings).map(({ check }) => check))).toEqual(new Set(['configuration']))
    const looked = findings.filter(({ state }) => state === 'ok').map(({ check }) => check)
    expect(looked).toEqual(expect.arrayContaining(['database', 'migrations', 'rpc', 'wallet', 'prices', 'hosts']))
    const open = findings.filter(({ state }) => state === 'unchecked').map(({ message }) => message)
    expect(open).toContain('not looked at: the keys, and whether the addresses are theirs')
  })

  it('names what was not looked at where the configuration itself is wrong', async () => {
    const findings = await diagnose(({ config }) => void Object.assign(config, { databse: {} }))
    expect(findings.at(-1)).toMatchObject({ state: 'unchecked', message: 'not looked at: everything else' })
  })

  it('counts every key that is here, the master key too', async () => {
    const findings = await diagnose()
    const [keys] = findings.filter(({ check }) => check === 'keys')
    // Order, master, allocator, and one payout key for both chains.
    expect(keys?.message).toBe('holds 4 keys, each for one purpose')
  })

  it('learns from the lanes whom to look at, where no key and no configuration says it', async () => {
    const findings = await diagnose(({ config, environment }) => {
      delete environment.TEST_KEY_PAYOUT
      for (const chain of config.chains) delete chain.solver
    })
    expect(findings.filter(({ check, state }) => check === 'wallet' && state === 'ok')).toHaveLength(2)
  })

  it('looks at the chains where no database answers, and says what it left out', async () => {
    const findings = await diagnose(({ config }) => {
      config.database.url = 'postgres://nobody@127.0.0.1:1/none'
    })
    expect(findings).toContainEqual(expect.objectContaining({ check: 'state of the service', state: 'unchecked' }))
    expect(faultsOf(findings).map(({ check }) => check)).toEqual(['database'])
    expect(findings.filter(({ check, state }) => check === 'rpc' && state === 'ok').length).toBeGreaterThan(0)
  })
})
