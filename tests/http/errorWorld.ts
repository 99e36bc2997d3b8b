import { type FaultProxy, type LocalEvmChain, startFaultProxy, startLocalChain } from '@causeway/chain-evm/testing'
import {
  accountOf,
  type LocalSvmChain,
  type SwapServer,
  startLocalSvm,
  startSwapServer,
} from '@causeway/chain-svm/testing'
import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase } from '@causeway/core/testing'
import type { ChainInput } from '@causeway/host'
import { startTestHost, USUAL_PRICES } from '../harness/host/host.js'
import { type LocalNetwork, NATIVE, type NetworkChain, startLocalNetwork } from '../harness/localNetwork.js'
import { freshAddress } from '../harness/transfer.js'
import type { HttpWorld } from './httpWorld.js'

/** A chain without the contract that runs calls, behind a node that fails as told. */
export const REEF_ID = 70_003
export const CLOSED_ID = 70_004
export const SOLANA_ID = 70_005
/** A swap source of the first chain whose address nobody serves. */
export const SILENT_SOURCE = 'silent-desk'
/** Pools give twice as much for a pearl. */
export const PRICES = { ...USUAL_PRICES, sol: '100', pearl: '0.5' }

/** A deployment in which every error of a quote can be met. */
export interface ErrorWorld extends HttpWorld {
  readonly node: FaultProxy
  /** Of nobody's account, on the operator's lists. */
  readonly listed: { readonly sanctioned: string; readonly blocked: string }
  readonly solana: {
    readonly user: string
    readonly dollar: string
    /** Three pools in a row, each with many accounts, lead from it to dollars. */
    readonly pearl: string
  }
}

const eth = { address: NATIVE, symbol: 'ETH', name: 'Ether', decimals: 18, groupId: 'eth' }
const confirmations = { fill: 1, success: 1, settle: 2, settleSeconds: 0 }

const withSilentSource = (network: LocalNetwork): LocalNetwork => {
  const [first, second] = network.chains
  if (first.swap === undefined) throw new Error('The chain has no swaps')
  // `fetch` itself refuses port 9, so nothing ever answers.
  const aggregators = [{ name: SILENT_SOURCE, url: 'http://127.0.0.1:9', timeoutMs: 500 }]
  // CAST: the options of a chain are plain data that its package checks.
  const swap = { ...first.swap, aggregators } as NonNullable<NetworkChain['swap']>
  return { ...network, chains: [{ ...first, swap }, second] }
}

const startReef = async (allocator: string) => {
  const chain: LocalEvmChain = await startLocalChain({ chainId: REEF_ID, blockTimeSeconds: 1 })
  const { depository } = await chain.deployContracts({ owner: allocator, allocator })
  const node = await startFaultProxy(chain.rpcUrl)
  const config: ChainInput = {
    id: REEF_ID,
    slug: 'reef',
    name: 'Test reef',
    package: '@causeway/chain-evm',
    rpc: [{ http: node.url }],
    currencies: [eth],
    confirmations,
    options: { depository, startBlock: 0, pollIntervalMs: 100, rpcTimeoutMs: 1_000 },
  }
  return { chain, node, config }
}

const closedChain = (rpc: string): ChainInput => ({
  id: CLOSED_ID,
  slug: 'closed',
  name: 'Closed',
  package: '@causeway/chain-evm',
  rpc: [rpc],
  enabled: false,
  currencies: [eth],
  options: { depository: `0x${'12'.repeat(20)}`, fillRouter: `0x${'13'.repeat(20)}`, startBlock: 0 },
})

const startSolana = async ({ solver, allocator }: LocalNetwork['roles']) => {
  const chain: LocalSvmChain = await startLocalSvm({ slotMs: 200 })
  const token = () => chain.createToken({ decimals: 6 })
  const [dollar, pearl, one, two] = [await token(), await token(), await token(), await token()]
  const reserves = [10n ** 13n, 10n ** 13n] as const
  const server: SwapServer = await startSwapServer(chain, {
    extraAccounts: 6,
    pools: [
      { mints: [pearl, one], reserves },
      { mints: [one, two], reserves },
      { mints: [two, dollar], reserves },
    ],
  })
  const vault = accountOf(allocator.privateKey).address
  await chain.openTokenAccount(vault, dollar)
  const payer = accountOf(solver.privateKey).address
  await chain.fund(payer, 10n ** 12n)
  await chain.fund(payer, 10n ** 12n, dollar)
  const config: ChainInput = {
    id: SOLANA_ID,
    slug: 'shore',
    name: 'Test shore',
    package: '@causeway/chain-svm',
    rpc: [{ http: chain.rpcUrl, ws: chain.wsUrl }],
    currencies: [
      { address: '1'.repeat(32), symbol: 'SOL', name: 'Solana', decimals: 9, groupId: 'sol' },
      { address: dollar, symbol: 'USDC', name: 'USD Coin', decimals: 6, groupId: 'usdc' },
      { address: pearl, symbol: 'PRL', name: 'Pearl', decimals: 6, groupId: 'pearl' },
    ],
    confirmations,
    options: {
      depository: vault,
      genesisHash: chain.genesisHash,
      startSlot: 0,
      pollIntervalMs: 100,
      // A source that is late on a busy machine would leave the pearl to be taken as it is.
      swap: { sources: [{ name: 'local', url: server.url, timeoutMs: 20_000 }] },
    },
  }
  const user = chain.accounts[4]?.address
  if (user === undefined) throw new Error('No accounts')
  return { chain, server, config, view: { user, dollar, pearl } }
}

export const startErrorWorld = async (): Promise<ErrorWorld> => {
  const packages = [{ name: '@causeway/core', migrations: coreMigrations }]
  const [plain, database] = await Promise.all([
    startLocalNetwork({ swaps: true }),
    createTestDatabase({ packages, poolSize: 4 }),
  ])
  const network = withSilentSource(plain)
  const [reef, solana] = await Promise.all([startReef(plain.roles.allocator.address), startSolana(plain.roles)])
  const [first] = network.chains
  const listed = { sanctioned: freshAddress(), blocked: freshAddress() }
  const host = await startTestHost({
    network,
    database,
    moreChains: [reef.config, closedChain(reef.chain.rpcUrl), solana.config],
    plugins: {
      quote: {
        sanctionedCurrencies: [`${first.chain.chainId}:${first.blockable}`],
        sanctionedWallets: [listed.sanctioned],
        blockedWallets: [listed.blocked],
        restrictedRoutes: [`${REEF_ID}->${first.chain.chainId}`],
      },
    },
  })
  host.setPrices(PRICES)
  return {
    network,
    database,
    host,
    node: reef.node,
    listed,
    solana: solana.view,
    close: async () => {
      await host.stop()
      await Promise.all([database.drop(), plain.close(), reef.node.close(), solana.server.close()])
      await Promise.all([reef.chain.close(), solana.chain.close()])
    },
  }
}
