import { existsSync, mkdtempSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LocalEvmChain, startLocalChain } from '@causeway/chain-evm/testing'
import { runDoctor } from '@causeway/host'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadConfig } from '../../host/dist/config/loadConfig.js'
import { type ContractsDeps, runDeploy } from '../../host/dist/contracts/runContracts.js'
import { addChain, addCurrency } from '../../host/dist/init/addToConfig.js'
import { type InitAnswers, initDeployment } from '../../host/dist/init/initDeployment.js'

const chains: LocalEvmChain[] = []
const tokens: string[] = []

beforeAll(async () => {
  chains.push(...(await Promise.all([71_011, 71_012].map((chainId) => startLocalChain({ chainId })))))
  for (const chain of chains) tokens.push(await chain.deployToken({ name: 'USD Coin', symbol: 'USDC', decimals: 6 }))
})

afterAll(async () => {
  await Promise.all(chains.map((chain) => chain.close()))
})

const quiet = { print: () => undefined }

const answers = (folder: string, changes: Partial<InitAnswers> = {}): InitAnswers => ({
  folder,
  network: 'testnet',
  chains: chains.map(({ chainId, rpcUrl }, at) => ({
    slug: ['harbor', 'lagoon'][at] ?? '',
    own: { id: chainId, symbol: 'ETH' },
    rpc: [at === 0 ? { env: 'HARBOR_RPC' } : { text: rpcUrl }],
    tokens: [],
  })),
  database: null,
  passphrase: { file: 'passphrase' },
  prices: { eth: '2000', usdc: '1' },
  packages: [],
  timeoutMs: 5_000,
  ...changes,
})

const newFolder = (): string => join(mkdtempSync(join(tmpdir(), 'causeway-init-')), 'deployment')

it('init writes a configuration that loads from any folder, and after a deploy the doctor finds nothing but missing money', async () => {
  const folder = newFolder()
  const environment = { HARBOR_RPC: chains[0]?.rpcUrl ?? '' }
  process.env.HARBOR_RPC = environment.HARBOR_RPC
  const lines: string[] = []
  const file = await initDeployment(answers(folder), { environment, print: (line) => lines.push(line) })
  const text = readFileSync(file, 'utf8')
  expect(text).toContain('env:HARBOR_RPC')
  for (const name of ['causeway.config.ts', 'keys.json', 'deployer.json', 'passphrase'])
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  const loaded = await loadConfig(file, { readKeys: false, environment })
  const deps: ContractsDeps = {
    loaded,
    folder,
    environment,
    timeoutMs: 5_000,
    pace: { patienceMs: 10_000, pollMs: 20 },
    confirm: async () => true,
    ...quiet,
  }
  const poor = await runDeploy(deps).catch((error: unknown) => String(error))
  const deployer = /deployer account (0x\S+):/.exec(String(poor))?.[1] ?? ''
  for (const chain of chains) await chain.fund(deployer, 10n ** 18n)
  await runDeploy(deps)
  const findings = await runDoctor({ configPath: file, timeoutMs: 5_000, environment })
  const faults = findings.filter(({ state }) => state === 'fault')
  expect(faults.filter(({ check }) => check !== 'wallet')).toEqual([])
  expect(findings.filter(({ check, state }) => check === 'contract' && state === 'ok').length).toBe(4)
  expect(lines.join('\n')).toContain('causeway contracts deploy')

  // Currencies are added to a program of one's own, its comments kept.
  await addCurrency('lagoon', tokens[1] ?? '', undefined, { ...deps })
  const changed = readFileSync(file, 'utf8')
  expect(changed).toContain('// Keys lie sealed in keys.json')
  const { config } = await loadConfig(file, { environment })
  expect(config.chains[1]?.currencies.map(({ symbol, decimals }) => [symbol, decimals])).toEqual([
    ['ETH', 18],
    ['USDC', 6],
  ])
  await expect(addCurrency('lagoon', `0x${'1'.repeat(40)}`, undefined, deps)).rejects.toThrow('There is no token at')
})

it('init writes nothing when a node serves another chain, and overwrites nothing', async () => {
  const folder = newFolder()
  const [first] = chains
  const wrong = [{ slug: 'sepolia', rpc: [{ text: first?.rpcUrl ?? '' }], tokens: [] }]
  const deps = { environment: {}, ...quiet }
  await expect(initDeployment(answers(folder, { chains: wrong }), deps)).rejects.toThrow(
    'serves chain 71011, not chain 11155111',
  )
  expect(existsSync(folder)).toBe(false)
  const own = answers(folder, { chains: answers(folder).chains.slice(1) })
  await initDeployment(own, deps)
  const keys = readFileSync(join(folder, 'keys.json'), 'utf8')
  await expect(initDeployment(own, deps)).rejects.toThrow('nothing is overwritten')
  expect(readFileSync(join(folder, 'keys.json'), 'utf8')).toBe(keys)
  // A chain is added beside the first, with a payout key of its own and the same depository.
  const file = join(folder, 'causeway.config.ts')
  const loaded = await loadConfig(file, { readKeys: false, environment: {} })
  const harbor = {
    slug: 'harbor',
    own: { id: 71_011, symbol: 'ETH' },
    rpc: [{ text: first?.rpcUrl ?? '' }],
    tokens: ['USDC'],
  }
  const place = { loaded, folder, timeoutMs: 5_000, ...deps }
  await expect(addChain(harbor, { packages: [], owner: undefined }, place)).rejects.toThrow('"USDC" is no address')
  const bare = { ...harbor, tokens: [tokens[0] ?? ''] }
  await addChain(bare, { packages: [], owner: undefined }, place)
  const { config } = await loadConfig(file, { environment: {} })
  expect(config.chains.map(({ slug, currencies }) => [slug, currencies.length])).toEqual([
    ['lagoon', 1],
    ['harbor', 2],
  ])
  expect(config.chains[1]?.options.depository).toBe(config.chains[0]?.options.depository)
  expect(config.keys.payout['71011']).toEqual({ keystore: 'payout-harbor' })
})
