import { type LocalAccount, type LocalEvmChain, startLocalChain, type TestTokenKind } from '@causeway/chain-evm/testing'
import type { CurrencyConfig } from '@causeway/core'

/** A local chain with the contracts and tokens of a deployment. */
export interface NetworkChain {
  readonly slug: string
  readonly chain: LocalEvmChain
  readonly depository: string
  readonly fillRouter: string
  readonly usdc: string
  /** Addresses to block receive from and to it. */
  readonly blockable: string
  readonly currencies: readonly CurrencyConfig[]
}

export interface LocalNetwork {
  readonly chains: readonly [NetworkChain, NetworkChain]
  readonly roles: { readonly order: LocalAccount; readonly solver: LocalAccount; readonly allocator: LocalAccount }
  /** Accounts with native currency and tokens on both chains. */
  readonly users: readonly LocalAccount[]
  close(): Promise<void>
}

export const NATIVE = '0x0000000000000000000000000000000000000000'
const ETHER = 10n ** 18n

/** Two real chains that mine on demand and once a second, with a funded solver; `usdc` has 6 decimals on one and 18 on the other. */
export const startLocalNetwork = async (
  options: { readonly blockTimeSeconds?: number } = {},
): Promise<LocalNetwork> => {
  const first = await startNetworkChain('harbor', 70_001, 6, options.blockTimeSeconds ?? 1)
  const second = await startNetworkChain('lagoon', 70_002, 18, options.blockTimeSeconds ?? 1)
  const [order, solver, allocator, ...users] = first.chain.accounts.slice(0, 9)
  if (order === undefined || solver === undefined || allocator === undefined) throw new Error('No accounts')
  for (const { chain, usdc, blockable } of [first, second]) {
    for (const token of [usdc, blockable]) {
      await Promise.all([solver, ...users].map(({ address }) => chain.fund(address, 10n ** 24n, token)))
    }
  }
  return {
    chains: [first, second],
    roles: { order, solver, allocator },
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
  blockTimeSeconds: number,
): Promise<NetworkChain> => {
  const chain = await startLocalChain({ chainId, blockTimeSeconds })
  const allocator = chain.accounts[2]?.address ?? NATIVE
  const { depository, fillRouter } = await chain.deployContracts({ owner: allocator, allocator })
  const usdc = await chain.deployToken({ name: 'USD Coin', symbol: 'USDC', decimals })
  const kind: TestTokenKind = 'blocking'
  const blockable = await chain.deployToken({ name: 'Blockable Dollar', symbol: 'BUSD', decimals: 6, kind })
  return {
    slug,
    chain,
    depository,
    fillRouter,
    usdc,
    blockable,
    currencies: [
      { address: NATIVE, symbol: 'ETH', name: 'Ether', decimals: 18, groupId: 'eth' },
      { address: usdc, symbol: 'USDC', name: 'USD Coin', decimals, groupId: 'usdc' },
      { address: blockable, symbol: 'BUSD', name: 'Blockable Dollar', decimals: 6, groupId: 'busd' },
    ],
  }
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
