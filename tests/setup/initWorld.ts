import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LocalEvmChain, startLocalChain } from '@causeway/chain-evm/testing'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll } from 'vitest'
import { loadConfig } from '../../host/dist/config/loadConfig.js'
import { type ContractsDeps, runDeploy } from '../../host/dist/contracts/runContracts.js'
import { type InitAnswers, initDeployment } from '../../host/dist/init/initDeployment.js'

export const chains: LocalEvmChain[] = []
export const tokens: string[] = []

export let database: TestDatabase
export let deployment: Awaited<ReturnType<typeof deploy>>

export const quiet = { print: () => undefined }

export const answers = (folder: string, changes: Partial<InitAnswers> = {}): InitAnswers => ({
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

export const newFolder = (): string => join(mkdtempSync(join(tmpdir(), 'causeway-init-')), 'deployment')

/** A deployment of both chains on a server of its own, from nothing to its contracts. */
const deploy = async () => {
  const folder = newFolder()
  const environment = {
    HARBOR_RPC: chains[0]?.rpcUrl ?? '',
    HARBOR_DATABASE_URL: database.url,
    HARBOR_PASSPHRASE: 'a passphrase of tests only',
  }
  // Read by the configuration itself, which is a program.
  Object.assign(process.env, environment)
  const changes = { database: { env: 'HARBOR_DATABASE_URL' }, passphrase: { env: 'HARBOR_PASSPHRASE' } }
  const lines: string[] = []
  const file = await initDeployment(answers(folder, changes), { environment, print: (line) => lines.push(line) })
  const text = readFileSync(file, 'utf8')
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
  return { folder, file, environment, lines, text, deps }
}

/** Starts two chains and deploys to them from nothing before the tests of a file, and stops them afterwards. */
export const useInit = (): void => {
  beforeAll(async () => {
    database = await createTestDatabase({ packages: [] })
    chains.push(...(await Promise.all([71_011, 71_012].map((chainId) => startLocalChain({ chainId })))))
    for (const chain of chains) tokens.push(await chain.deployToken({ name: 'USD Coin', symbol: 'USDC', decimals: 6 }))
    deployment = await deploy()
  })
  afterAll(async () => {
    await database.drop()
    await Promise.all(chains.map((chain) => chain.close()))
  })
}
