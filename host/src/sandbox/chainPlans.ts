import type { CurrencyConfig } from '@causeway/core'

/** A token of a plan; `program` only where the VM has several. */
export interface TokenPlan {
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  readonly groupId: string
  readonly program?: 'token' | 'token-2022'
}

/** A chain to be made. */
export interface ChainPlan {
  readonly id: number
  readonly slug: string
  readonly vmType: 'evm' | 'svm' | 'bvm'
  readonly tokens: readonly TokenPlan[]
}

const usdc = { symbol: 'USDC', name: 'Sandbox dollar', decimals: 6, groupId: 'usdc' }
const tide = { symbol: 'TIDE', name: 'Sandbox tide', groupId: 'tide' }
const sol = { symbol: 'SOL', name: 'Sandbox SOL', groupId: 'sol' }
const btc = { symbol: 'BTC', name: 'Sandbox bitcoin', groupId: 'btc' }
const eth = { symbol: 'ETH', name: 'Sandbox ether', groupId: 'eth' }

/** The tide has other decimals on each chain, so that mistakes with them show; each native currency is a token elsewhere. */
export const CHAIN_PLANS: readonly ChainPlan[] = [
  {
    id: 71_001,
    slug: 'harbor',
    vmType: 'evm',
    tokens: [usdc, { ...tide, decimals: 18 }, { ...sol, decimals: 9 }, { ...btc, decimals: 8 }],
  },
  { id: 71_002, slug: 'lagoon', vmType: 'evm', tokens: [usdc, { ...tide, decimals: 6 }] },
  {
    id: 71_003,
    slug: 'reef',
    vmType: 'svm',
    tokens: [
      { ...usdc, program: 'token' },
      { ...tide, decimals: 9, program: 'token-2022' },
      { ...eth, decimals: 8, program: 'token' },
    ],
  },
  { id: 71_004, slug: 'glacier', vmType: 'bvm', tokens: [] },
]

/** A token that no list has and no source prices: it is reached over the pools of the EVM chains alone. */
export const UNLISTED_TOKEN = { symbol: 'CORAL', name: 'Sandbox coral', decimals: 18 }

/** Dollars by group, as the price file holds them. */
export const SANDBOX_PRICES: Readonly<Record<string, string>> = {
  eth: '3000',
  usdc: '1',
  tide: '2.5',
  sol: '150',
  btc: '60000',
}

export const NATIVES: Readonly<Record<ChainPlan['vmType'], CurrencyConfig>> = {
  evm: { address: `0x${'0'.repeat(40)}`, symbol: 'ETH', name: 'Ether', decimals: 18, groupId: 'eth' },
  svm: { address: '1'.repeat(32), symbol: 'SOL', name: 'Solana', decimals: 9, groupId: 'sol' },
  bvm: {
    address: 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8',
    symbol: 'BTC',
    name: 'Bitcoin',
    decimals: 8,
    groupId: 'btc',
  },
}

/** Whole units of the native currency and of each token. */
export const SOLVER_HOLDS = { native: 1_000n, token: 1_000_000n }
export const USER_HOLDS = { native: 100n, token: 10_000n }

export const wholeUnits = (amount: bigint, decimals: number): bigint => amount * 10n ** BigInt(decimals)
