import {
  allowRouters,
  deployUniswap,
  type LocalAccount,
  type LocalEvmChain,
  type LocalUniswap,
  startPreparedChain,
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

/**
 * Two real chains that mine on demand and once a second, with a funded solver; `usdc` has 6 decimals on one and 18 on the other.
 * Contracts, tokens and balances come from state that is saved once per test run.
 */
export const startLocalNetwork = async (options: Partial<NetworkOptions> = {}): Promise<LocalNetwork> => {
  const { blockTimeSeconds = 1, swaps = false, dollars = 'standard' } = options
  const { secondDollars = dollars } = options
  const chains = await Promise.all([
    startNetworkChain('harbor', 70_001, { blockTimeSeconds, decimals: 6, swaps, dollars }),
    startNetworkChain('lagoon', 70_002, { blockTimeSeconds, decimals: 18, swaps, dollars: secondDollars }),
  ])
  const { order, solver, allocator, users } = rolesOf(chains[0].chain)
  return {
    chains,
    roles: { order, solver, allocator, origin: ORIGIN },
    users,
    close: async () => {
      await Promise.all(chains.map(({ chain }) => chain.close()))
    },
  }
}

const rolesOf = ({ accounts }: LocalEvmChain) => {
  const [order, solver, allocator, ...users] = accounts.slice(0, 9)
  if (order === undefined || solver === undefined || allocator === undefined) throw new Error('No accounts')
  return { order, solver, allocator, users }
}

interface ChainKind {
  readonly decimals: number
  readonly swaps: boolean
  readonly dollars: TestTokenKind
}

const startNetworkChain = async (
  slug: string,
  chainId: number,
  { blockTimeSeconds, ...kind }: ChainKind & { readonly blockTimeSeconds: number },
): Promise<NetworkChain> => {
  const name = `${slug} ${JSON.stringify(kind)}`
  const { chain, prepared } = await startPreparedChain({ chainId, blockTimeSeconds }, name, (empty) =>
    deploy(empty, kind),
  )
  return { ...prepared, slug, chain }
}

/** Deploys contracts, tokens and pools, and funds the solver and the users. */
const deploy = async (
  chain: LocalEvmChain,
  { decimals, swaps, dollars }: ChainKind,
): Promise<Omit<NetworkChain, 'slug' | 'chain'>> => {
  const { solver, allocator, users } = rolesOf(chain)
  const { swapRouter, ...contracts } = await chain.deployContracts({
    owner: allocator.address,
    allocator: allocator.address,
  })
  const { fillRouter } = contracts
  const usdc = await chain.deployToken({ name: 'USD Coin', symbol: 'USDC', decimals, kind: dollars })
  const kind: TestTokenKind = 'blocking'
  const blockable = await chain.deployToken({ name: 'Blockable Dollar', symbol: 'BUSD', decimals: 6, kind })
  const pools: Pools | null = swaps ? await openPools(chain, { usdc, decimals, swapRouter }) : null
  await allowRouters(chain, solver, { tokens: [usdc, blockable], routers: [fillRouter, swapRouter] })
  await chain.fund(ORIGIN.address, 10n ** 20n)
  for (const token of [usdc, blockable]) {
    for (const { address } of [solver, ...users]) await chain.fund(address, 10n ** 24n, token)
  }
  if (pools !== null) {
    for (const { address } of users) await chain.fund(address, 10n ** 24n, pools.unlisted)
  }
  return {
    ...pools,
    ...contracts,
    usdc,
    blockable,
    currencies: [
      { address: NATIVE, symbol: 'ETH', name: 'Ether', decimals: 18, groupId: 'eth' },
      { address: usdc, symbol: 'USDC', name: 'USD Coin', decimals, groupId: 'usdc' },
      { address: blockable, symbol: 'BUSD', name: 'Blockable Dollar', decimals: 6, groupId: 'busd' },
    ],
  }
}

type Pools = Pick<Required<NetworkChain>, 'swap' | 'unlisted'>

/** Uniswap with pools of ETH at 2,000 USDC, and of a token nobody lists at 4 USDC, in both versions. */
const openPools = async (
  chain: LocalEvmChain,
  { usdc, decimals, swapRouter }: { readonly usdc: string; readonly decimals: number; readonly swapRouter: string },
): Promise<Pools> => {
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
