import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LocalEvmChain, startLocalChain } from '@causeway/chain-evm/testing'
import { setFailpointHandler } from '@causeway/core/plugin'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { loadConfig } from '../../host/dist/config/loadConfig.js'
import {
  type ContractsDeps,
  contractsStatus,
  runDeploy,
  verifyContracts,
} from '../../host/dist/contracts/runContracts.js'

const NATIVE = '0x0000000000000000000000000000000000000000'
const FACTORY = '0x4e59b44847b379578588920ca78fbf26c0b4956c'

const chains: LocalEvmChain[] = []
const tokens: string[] = []

beforeAll(async () => {
  chains.push(...(await Promise.all([71_001, 71_002].map((chainId) => startLocalChain({ chainId })))))
  for (const chain of chains) {
    // As on a chain that nobody has the proxy on.
    await chain.rpc('anvil_setCode', [FACTORY, '0x'])
    tokens.push(await chain.deployToken({ name: 'USD Coin', symbol: 'USDC', decimals: 6 }))
  }
})

afterEach(() => setFailpointHandler(null))

afterAll(async () => {
  await Promise.all(chains.map((chain) => chain.close()))
})

const account = (at: number) => {
  const found = chains[0]?.accounts[at]
  if (found === undefined) throw new Error('No account')
  return found
}

const chainAt = (at: number): LocalEvmChain => {
  const found = chains[at]
  if (found === undefined) throw new Error('No chain')
  return found
}

const KEYS = (): Record<string, string> => ({
  DEPLOYER_KEY: account(5).privateKey,
  PAYOUT_KEY: account(1).privateKey,
  ALLOCATOR_KEY: account(2).privateKey,
})

/** A configuration of the two chains in a folder where no package is installed; `owner` makes another depository. */
const writeConfig = (owner: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-contracts-'))
  const file = join(folder, 'causeway.config.json')
  const config = {
    network: 'testnet',
    chains: chains.map((chain, at) => ({
      id: chain.chainId,
      slug: `public-${at}`,
      name: `Public ${at}`,
      package: '@causeway/chain-evm',
      rpc: [{ http: chain.rpcUrl }],
      currencies: [
        { address: NATIVE, symbol: 'ETH', name: 'Ether', decimals: 18, groupId: 'eth' },
        { address: tokens[at], symbol: 'USDC', name: 'USD Coin', decimals: 6, groupId: 'usdc' },
      ],
      options: { owner },
    })),
    keys: {
      order: { env: 'ORDER_KEY' },
      master: { env: 'MASTER_KEY' },
      allocator: { env: 'ALLOCATOR_KEY' },
      payout: Object.fromEntries(chains.map(({ chainId }) => [String(chainId), { env: 'PAYOUT_KEY' }])),
    },
  }
  writeFileSync(file, `${JSON.stringify(config, null, 2)}\n`)
  return file
}

const depsOf = async (
  file: string,
  changes: Partial<ContractsDeps> = {},
): Promise<ContractsDeps & { readonly lines: string[] }> => {
  const environment = changes.environment ?? KEYS()
  const loaded = await loadConfig(file, { readKeys: false, environment })
  const lines: string[] = []
  return {
    loaded,
    folder: loaded.folder,
    environment,
    timeoutMs: 5_000,
    pace: { patienceMs: 10_000, pollMs: 20 },
    print: (line) => lines.push(line),
    confirm: async () => true,
    ...changes,
    lines,
  }
}

const DEPLOYER = { env: 'DEPLOYER_KEY' }

const optionsIn = (file: string): Record<string, string>[] => {
  const config = JSON.parse(readFileSync(file, 'utf8')) as { chains: { options: Record<string, string> }[] }
  return config.chains.map(({ options }) => options)
}

const nonceOf = async (chain: LocalEvmChain, address: string): Promise<number> =>
  Number(await chain.rpc<string>('eth_getTransactionCount', [address, 'latest']))

it('contracts are at the same address on every chain, their options written, their code compared', async () => {
  const file = writeConfig(account(3).address)
  const deps = await depsOf(file)
  await runDeploy(deps, DEPLOYER)
  const [first, second] = optionsIn(file)
  expect(first?.depository).toMatch(/^0x[0-9a-fA-F]{40}$/)
  expect(second?.depository).toBe(first?.depository)
  expect(second?.fillRouter).toBe(first?.fillRouter)
  expect(first?.depositAddressFactory).toMatch(/^0x[0-9a-fA-F]{40}$/)
  expect(second?.depositAddressFactory).toBe(first?.depositAddressFactory)
  expect(first?.permitRouter).toMatch(/^0x[0-9a-fA-F]{40}$/)
  expect(second?.permitRouter).toBe(first?.permitRouter)
  expect(deps.lines.join('\n')).toMatch(/The deployer account 0x\S+ pays at most \S+ ETH and holds/)
  expect(await verifyContracts(await depsOf(file), DEPLOYER)).toBe(true)
  const before = await Promise.all(chains.map((chain) => nonceOf(chain, account(5).address)))
  await runDeploy(await depsOf(file), DEPLOYER)
  expect(await Promise.all(chains.map((chain) => nonceOf(chain, account(5).address)))).toEqual(before)
})

it.each(['contracts.store.before', 'contracts.store.after', 'contracts.send.after'])(
  'a deploy that dies at %s goes on without a second transaction for any step',
  async (place) => {
    const file = writeConfig(account(6).address.replace(/.$/, String(place.length % 10)))
    const chain = chainAt(0)
    const from = await nonceOf(chain, account(5).address)
    setFailpointHandler((name) => {
      if (name === place) throw new Error('died')
    })
    await expect(runDeploy(await depsOf(file, { chain: 'public-0' }), DEPLOYER)).rejects.toThrow('died')
    setFailpointHandler(null)
    await runDeploy(await depsOf(file, { chain: 'public-0' }), DEPLOYER)
    // Fill and swap router are there already: the depository, its factory and its permit router are the steps.
    expect((await nonceOf(chain, account(5).address)) - from).toBe(3)
    expect(statSync(join(file, '../causeway.contracts.json')).mode & 0o777).toBe(0o600)
  },
)

it('what was stored and is still pending is sent again, its fee raised at the same nonce, and nothing else is signed', async () => {
  const file = writeConfig(account(7).address)
  const chain = chainAt(0)
  const from = await nonceOf(chain, account(5).address)
  await chain.setAutomine(false)
  const hasty = { patienceMs: 60, pollMs: 20 }
  const stuck = runDeploy(await depsOf(file, { chain: 'public-0', pace: hasty }), DEPLOYER)
  // Another one meanwhile signs nothing, and says who is at work.
  await expect(runDeploy(await depsOf(file, { chain: 'public-0' }), DEPLOYER)).rejects.toThrow(
    `Process ${process.pid} on`,
  )
  await expect(stuck).rejects.toThrow('is in no block yet')
  const journal = JSON.parse(readFileSync(join(file, '../causeway.contracts.json'), 'utf8')) as {
    steps: Record<string, { nonce: number; price: string }[]>
  }
  const attempts = Object.values(journal.steps).flat()
  expect(attempts.length).toBeGreaterThan(1)
  expect(new Set(attempts.map(({ nonce }) => nonce))).toEqual(new Set([from]))
  const prices = attempts.map(({ price }) => BigInt(price))
  expect(prices.every((price, at) => at === 0 || price > (prices[at - 1] ?? price))).toBe(true)
  await chain.setAutomine(true)
  await chain.mine()
  await runDeploy(await depsOf(file, { chain: 'public-0' }), DEPLOYER)
  expect((await nonceOf(chain, account(5).address)) - from).toBe(3)
})

it('verify notices other code at the address, and another owner or allocator', async () => {
  const file = writeConfig(account(3).address)
  await runDeploy(await depsOf(file), DEPLOYER)
  const depository = optionsIn(file)[1]?.depository ?? ''
  const chain = chainAt(1)
  const code = await chain.rpc<string>('eth_getCode', [depository, 'latest'])
  await chain.rpc('anvil_setCode', [depository, `${code.slice(0, -2)}ff`])
  const changed = await depsOf(file)
  expect(await verifyContracts(changed, DEPLOYER)).toBe(false)
  expect(changed.lines.join('\n')).toMatch(/FAULT +public-1: depository: the code at \S+ is not that of this release/)
  const [hash] = /0x[0-9a-f]{64}/.exec(changed.lines.join('\n')) ?? []
  const config = JSON.parse(readFileSync(file, 'utf8')) as { chains: { options: Record<string, unknown> }[] }
  Object.assign(config.chains[1]?.options ?? {}, { acceptedCodeHashes: [hash] })
  writeFileSync(file, JSON.stringify(config))
  const accepted = await depsOf(file)
  expect([await verifyContracts(accepted, DEPLOYER), hash]).toEqual([true, expect.any(String)])
  expect(accepted.lines.join('\n')).toMatch(/public-1: depository: has code at \S+ that the configuration accepts/)
  await chain.rpc('anvil_setCode', [depository, code])
  const stranger = await depsOf(file, { environment: { ...KEYS(), ALLOCATOR_KEY: account(8).privateKey } })
  expect(await verifyContracts(stranger, DEPLOYER)).toBe(false)
  expect(stranger.lines.join('\n')).toMatch(/FAULT +public-0: allocator of the depository/)
})

it('verify notices a factory whose addresses another depository is paid by', async () => {
  const [file, other] = [writeConfig(account(3).address), writeConfig(account(4).address)]
  for (const each of [file, other]) await runDeploy(await depsOf(each, { chain: 'public-0' }), DEPLOYER)
  const config = JSON.parse(readFileSync(file, 'utf8')) as { chains: { options: Record<string, unknown> }[] }
  const foreign = optionsIn(other)[0]?.depositAddressFactory
  Object.assign(config.chains[0]?.options ?? {}, { depositAddressFactory: foreign })
  writeFileSync(file, JSON.stringify(config))
  const deps = await depsOf(file, { chain: 'public-0' })
  expect(await verifyContracts(deps, DEPLOYER)).toBe(false)
  expect(deps.lines.join('\n')).toMatch(/FAULT +public-0: receivers of the deposit address factory: do not pay/)
})

it('verify notices a permit router that belongs to another depository', async () => {
  const [file, other] = [writeConfig(account(3).address), writeConfig(account(4).address)]
  for (const each of [file, other]) await runDeploy(await depsOf(each, { chain: 'public-0' }), DEPLOYER)
  const config = JSON.parse(readFileSync(file, 'utf8')) as { chains: { options: Record<string, unknown> }[] }
  Object.assign(config.chains[0]?.options ?? {}, { permitRouter: optionsIn(other)[0]?.permitRouter })
  writeFileSync(file, JSON.stringify(config))
  const deps = await depsOf(file, { chain: 'public-0' })
  expect(await verifyContracts(deps, DEPLOYER)).toBe(false)
  const lines = deps.lines.join('\n')
  expect(lines).toMatch(/FAULT +public-0: permit router: the code at \S+ is not that of this release/)
  expect(lines).toMatch(/FAULT +public-0: receivers of the permit router: do not pay/)
})

it('without funds nothing is signed, and what is missing is told', async () => {
  const file = writeConfig(account(8).address)
  const poor = { ...KEYS(), DEPLOYER_KEY: `0x${'5'.repeat(64)}` }
  await expect(runDeploy(await depsOf(file, { environment: poor }), DEPLOYER)).rejects.toThrow(
    /Send [0-9.]+ ETH to the deployer account 0x\S+: it holds too little/,
  )
})

it('without consent, and without a deployer key, nothing is sent', async () => {
  const file = writeConfig(account(9).address)
  await expect(runDeploy(await depsOf(file, { confirm: async () => false }), DEPLOYER)).rejects.toThrow(
    'Nothing was sent',
  )
  await expect(runDeploy(await depsOf(file))).rejects.toThrow('No deployer key is here')
})

it('once all is there, nothing asks for a deployer key that was taken away; who has to pay with it is told to put it back', async () => {
  const [done, lacking] = [writeConfig(account(4).address), writeConfig(account(6).address)]
  await runDeploy(await depsOf(done), DEPLOYER)
  for (const file of [done, lacking]) {
    const config = JSON.parse(readFileSync(file, 'utf8')) as { keys: Record<string, unknown> }
    config.keys.keystore = { file: 'keys.json', passphrase: { env: 'PASS' } }
    config.keys.deployer = { keystore: 'deployer', keystoreFile: 'deployer.json' }
    writeFileSync(file, JSON.stringify(config, null, 2))
  }
  const status = await depsOf(done)
  await contractsStatus(status)
  expect(status.lines.join('\n')).not.toContain('deployer')
  expect(await verifyContracts(await depsOf(done))).toBe(true)
  await runDeploy(await depsOf(done))
  const unpaid = await depsOf(lacking)
  await contractsStatus(unpaid)
  expect(unpaid.lines.join('\n')).toMatch(/what it holds cannot be told.*Put deployer\.json back/)
  await expect(runDeploy(await depsOf(lacking))).rejects.toThrow(/deployer\.json, which is not there.*--deployer-env/)
})
