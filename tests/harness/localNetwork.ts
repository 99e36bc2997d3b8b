import {
  allowRouters,
  deployUniswap,
  type LocalAccount,
  type LocalEvmChain,
  type LocalUniswap,
  startLocalChain,
  type TestTokenKind,
} from '@causeway/chain-evm/testing'
import type { Hex } from '@causeway/core'
import type { CurrencyConfig } from '@causeway/core/chain'
import { privateKeyToAddress } from 'viem/accounts'

/** A local chain with the contracts and tokens of a deployment. */
export interface NetworkChain {
  readonly slug: string
  readonly chain: LocalEvmChain
  readonly depository: string
  readonly fillRouter: string
  /** Used by hosts that give addresses to pay to. */
  readonly depositAddressFactory: string
  /** Used by hosts that take deposits users only sign for. */
  readonly permitRouter: string
  readonly usdc: string
  /** Addresses to block receive from and to it. */
  readonly blockable: string
  readonly currencies: readonly CurrencyConfig[]
  /** `options.swap` of the chain; absent: it has no swaps. */
  readonly swap?: ReturnType<LocalUniswap['options']>
  /** A token that no list has, with pools against USDC and native currency; absent where there are no swaps. */
  readonly unlisted?: string
}

export interface LocalNetwork {
  readonly chains: readonly [NetworkChain, NetworkChain]
  readonly roles: {
    readonly order: LocalAccount
    readonly solver: LocalAccount
    readonly allocator: LocalAccount
    /** Sends for users; holds nothing but gas. */
    readonly origin: LocalAccount
  }
  /** Accounts with native currency and tokens on both chains. */
  readonly users: readonly LocalAccount[]
  close(): Promise<void>
}

export const NATIVE = '0x0000000000000000000000000000000000000000'
const ETHER = 10n ** 18n

interface NetworkOptions {
  readonly blockTimeSeconds: number
  readonly swaps: boolean
  /** What kind of token `usdc` is. */
  readonly dollars: TestTokenKind
  /** Kind of the dollar of the second chain; as the first's by default. */
  readonly secondDollars?: TestTokenKind
}

const ORIGIN_KEY: Hex = `0x${'0f'.repeat(32)}`
const ORIGIN: LocalAccount = { address: privateKeyToAddress(ORIGIN_KEY), privateKey: ORIGIN_KEY }

/** Two real chains that mine on demand and once a second, with a funded solver; `usdc` has 6 decimals on one and 18 on the other. */
export const startLocalNetwork = async (options: Partial<NetworkOptions> = {}): Promise<LocalNetwork> => {
  const { blockTimeSeconds = 1, swaps = false, dollars = 'standard' } = options
  const { secondDollars = dollars } = options
  const first = await startNetworkChain('harbor', 70_001, 6, { blockTimeSeconds, swaps, dollars })
  const second = await startNetworkChain('lagoon', 70_002, 18, { blockTimeSeconds, swaps, dollars: secondDollars })
  const [order, solver, allocator, ...users] = first.chain.accounts.slice(0, 9)
  if (order === undefined || solver === undefined || allocator === undefined) throw new Error('No accounts')
  for (const { chain, usdc, blockable, unlisted } of [first, second]) {
    await chain.fund(ORIGIN.address, 10n ** 20n)
    for (const token of [usdc, blockable]) {
      await Promise.all([solver, ...users].map(({ address }) => chain.fund(address, 10n ** 24n, token)))
    }
    if (unlisted !== undefined) {
      await Promise.all(users.map(({ address }) => chain.fund(address, 10n ** 24n, unlisted)))
    }
  }
  return {
    chains: [first, second],
    roles: { order, solver, allocator, origin: ORIGIN },
    users,
    close: async () => {
      await Promise.all([first.chain.close(), second.chain.close()])
    },
  }
}

const startNetworkChain = async (
  slug: string,
  chainId: number,
  decimals: number,
  { blockTimeSeconds, swaps, dollars }: NetworkOptions,
): Promise<NetworkChain> => {
  const chain = await startLocalChain({ chainId, blockTimeSeconds })
  const allocator = chain.accounts[2]?.address ?? NATIVE
  const { depository, fillRouter, swapRouter, depositAddressFactory, permitRouter } = await chain.deployContracts({
    owner: allocator,
    allocator,
  })
  const usdc = await chain.deployToken({ name: 'USD Coin', symbol: 'USDC', decimals, kind: dollars })
  const kind: TestTokenKind = 'blocking'
  const blockable = await chain.deployToken({ name: 'Blockable Dollar', symbol: 'BUSD', decimals: 6, kind })
  const pools = swaps ? await openPools(chain, { usdc, decimals, swapRouter }) : {}
  const solver = chain.accounts[1]
  if (solver !== undefined) {
    await allowRouters(chain, solver, { tokens: [usdc, blockable], routers: [fillRouter, swapRouter] })
  }
  return {
    ...pools,
    slug,
    chain,
    depository,
    fillRouter,
    depositAddressFactory,
    permitRouter,
    usdc,
    blockable,
    currencies: [
      { address: NATIVE, symbol: 'ETH', name: 'Ether', decimals: 18, groupId: 'eth' },
      { address: usdc, symbol: 'USDC', name: 'USD Coin', decimals, groupId: 'usdc' },
      { address: blockable, symbol: 'BUSD', name: 'Blockable Dollar', decimals: 6, groupId: 'busd' },
    ],
  }
}

/** Uniswap with pools of ETH at 2,000 USDC, and of a token nobody lists at 4 USDC, in both versions. */
const openPools = async (
  chain: LocalEvmChain,
  { usdc, decimals, swapRouter }: { readonly usdc: string; readonly decimals: number; readonly swapRouter: string },
): Promise<Pick<Required<NetworkChain>, 'swap' | 'unlisted'>> => {
  const uniswap = await deployUniswap(chain)
  const unlisted = await chain.deployToken({ name: 'Tide', symbol: 'TIDE', decimals: 18 })
  const dollars = (amount: bigint) => ({ token: usdc, amount: amount * 10n ** BigInt(decimals) })
  const native = (amount: bigint) => ({ token: NATIVE, amount: amount * ETHER })
  const tide = (amount: bigint) => ({ token: unlisted, amount: amount * ETHER })
  await uniswap.createPair([native(500n), dollars(1_000_000n)])
  await uniswap.createPool({ sides: [native(500n), dollars(1_000_000n)], fee: 500 })
  await uniswap.createPair([tide(250_000n), dollars(1_000_000n)])
  await uniswap.createPool({ sides: [tide(500_000n), native(1_000n)], fee: 3000 })
  return { swap: uniswap.options(swapRouter, { connectors: [usdc] }), unlisted }
}

export const ether = (text: string): bigint => {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole) * ETHER + BigInt(fraction.padEnd(18, '0'))
}

/** The n-th user; throws when there are fewer. */
export const userOf = (network: LocalNetwork, index: number): LocalAccount => {
  const account = network.users[index]
  if (account === undefined) throw new Error(`There is no user ${index}`)
  return account
}
