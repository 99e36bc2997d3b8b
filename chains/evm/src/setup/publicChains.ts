import type { CurrencyConfig, PublicChain } from '@causeway/core/chain'
import { ZERO_ADDRESS } from '../address/addresses.js'

const ETH: CurrencyConfig = { address: ZERO_ADDRESS, symbol: 'ETH', name: 'Ether', decimals: 18, groupId: 'eth' }

const coin = (symbol: string, name: string): CurrencyConfig => ({
  address: ZERO_ADDRESS,
  symbol,
  name,
  decimals: 18,
  groupId: symbol.toLowerCase(),
})

const usdc = (address: string, decimals = 6): CurrencyConfig => ({
  address,
  symbol: 'USDC',
  name: 'USD Coin',
  decimals,
  groupId: 'usdc',
})

const usdt = (address: string, decimals = 6): CurrencyConfig => ({
  address,
  symbol: 'USDT',
  name: 'Tether USD',
  decimals,
  groupId: 'usdt',
})

const dai = (address: string): CurrencyConfig => ({
  address,
  symbol: 'DAI',
  name: 'Dai Stablecoin',
  decimals: 18,
  groupId: 'dai',
})

/** Where it wraps the native currency it is as good as that. */
const weth = (address: string): CurrencyConfig => ({
  address,
  symbol: 'WETH',
  name: 'Wrapped Ether',
  decimals: 18,
  groupId: 'eth',
})

/** Blocks on a deposit and on a fill; blocks and seconds after which money is final. */
const depth = (fill: number, success: number, settle: number, settleSeconds: number): PublicChain['confirmations'] => ({
  fill,
  success,
  settle,
  settleSeconds,
})

/** Two epochs of Ethereum; of a rollup, until its data is there that deep. */
const ETHEREUM = depth(2, 1, 64, 900)
const ROLLUP = depth(1, 1, 60, 1200)

const OP_STACK = { l1DataFee: 'op-stack' } as const
/** Wei. Nodes of these chains refuse less, and suggest less at times. */
const LEAST_TIP = { bsc: { minPriorityFee: '50000000' }, polygon: { minPriorityFee: '25000000000' } } as const

/** Public EVM chains: ids, names, explorers and addresses, and nobody's endpoint. */
export const publicChains: readonly PublicChain[] = [
  {
    id: 1,
    slug: 'ethereum',
    name: 'Ethereum',
    network: 'mainnet',
    explorerUrl: 'https://etherscan.io',
    confirmations: ETHEREUM,
    native: ETH,
    tokens: [
      usdc('0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'),
      usdt('0xdAC17F958D2ee523a2206206994597C13D831ec7'),
      dai('0x6B175474E89094C44Da98b954EedeAC495271d0F'),
      weth('0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'),
    ],
    options: { zeroResetTokens: ['0xdAC17F958D2ee523a2206206994597C13D831ec7'] },
  },
  {
    id: 10,
    slug: 'optimism',
    name: 'OP Mainnet',
    network: 'mainnet',
    explorerUrl: 'https://optimistic.etherscan.io',
    confirmations: ROLLUP,
    native: ETH,
    tokens: [
      usdc('0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85'),
      usdt('0x94b008aA00579c1307B0EF2c499aD98a8ce58e58'),
      dai('0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1'),
      weth('0x4200000000000000000000000000000000000006'),
    ],
    options: OP_STACK,
  },
  {
    id: 56,
    slug: 'bsc',
    name: 'BNB Smart Chain',
    network: 'mainnet',
    explorerUrl: 'https://bscscan.com',
    confirmations: depth(3, 1, 20, 60),
    native: coin('BNB', 'BNB'),
    tokens: [
      usdc('0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d', 18),
      usdt('0x55d398326f99059fF775485246999027B3197955', 18),
      dai('0x1AF3F329e8BE154074D8769D1FFa4eE058B1DBc3'),
    ],
    options: LEAST_TIP.bsc,
  },
  {
    id: 137,
    slug: 'polygon',
    name: 'Polygon',
    network: 'mainnet',
    explorerUrl: 'https://polygonscan.com',
    confirmations: depth(5, 1, 64, 300),
    native: coin('POL', 'POL'),
    tokens: [
      usdc('0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'),
      usdt('0xc2132D05D31c914a87C6611C10748AEb04B58e8F'),
      dai('0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063'),
      weth('0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619'),
    ],
    options: LEAST_TIP.polygon,
  },
  {
    id: 8453,
    slug: 'base',
    name: 'Base',
    network: 'mainnet',
    explorerUrl: 'https://basescan.org',
    confirmations: ROLLUP,
    native: ETH,
    tokens: [
      usdc('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'),
      dai('0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb'),
      weth('0x4200000000000000000000000000000000000006'),
    ],
    options: OP_STACK,
  },
  {
    id: 42161,
    slug: 'arbitrum',
    name: 'Arbitrum One',
    network: 'mainnet',
    explorerUrl: 'https://arbiscan.io',
    confirmations: ROLLUP,
    native: ETH,
    tokens: [
      usdc('0xaf88d065e77c8cC2239327C5EDb3A432268e5831'),
      dai('0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1'),
      weth('0x82aF49447D8a07e3bd95BD0d56f35241523fBab1'),
    ],
    options: {},
  },
  {
    id: 43114,
    slug: 'avalanche',
    name: 'Avalanche',
    network: 'mainnet',
    explorerUrl: 'https://snowtrace.io',
    confirmations: depth(1, 1, 10, 60),
    native: coin('AVAX', 'Avalanche'),
    tokens: [
      usdc('0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E'),
      usdt('0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7'),
      weth('0x49D5c2BdFfac6CE2BFdB6640F4F80f226bc10bAB'),
    ],
    options: {},
  },
  {
    id: 11155111,
    slug: 'sepolia',
    name: 'Sepolia',
    network: 'testnet',
    explorerUrl: 'https://sepolia.etherscan.io',
    confirmations: ETHEREUM,
    native: ETH,
    tokens: [usdc('0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238'), weth('0xfFf9976782d46CC05630D1f6eBAb18b2324d6B14')],
    options: {},
  },
  {
    id: 84532,
    slug: 'base-sepolia',
    name: 'Base Sepolia',
    network: 'testnet',
    explorerUrl: 'https://sepolia.basescan.org',
    confirmations: ROLLUP,
    native: ETH,
    tokens: [usdc('0x036CbD53842c5426634e7929541eC2318f3dCF7e')],
    options: OP_STACK,
  },
  {
    id: 11155420,
    slug: 'optimism-sepolia',
    name: 'OP Sepolia',
    network: 'testnet',
    explorerUrl: 'https://optimism-sepolia.blockscout.com',
    confirmations: ROLLUP,
    native: ETH,
    tokens: [usdc('0x5fd84259d66Cd46123540766Be93DFE6D43130D7')],
    options: OP_STACK,
  },
  {
    id: 421614,
    slug: 'arbitrum-sepolia',
    name: 'Arbitrum Sepolia',
    network: 'testnet',
    explorerUrl: 'https://sepolia.arbiscan.io',
    confirmations: ROLLUP,
    native: ETH,
    tokens: [usdc('0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d')],
    options: {},
  },
]

/** An EVM chain that no list has. */
export const ownChain = (chain: {
  readonly id: number
  readonly slug: string
  readonly symbol: string
}): PublicChain => ({
  id: chain.id,
  slug: chain.slug,
  name: chain.slug,
  network: 'testnet',
  confirmations: depth(1, 1, 10, 60),
  native: { ...coin(chain.symbol, chain.symbol) },
  tokens: [],
  options: {},
})
