import { type Static, Type } from '@sinclair/typebox'

const closed = { additionalProperties: false } as const
const address = (description: string) => Type.String({ pattern: '^0x[0-9a-fA-F]{40}$', description })
const hash = (description: string) => Type.Optional(Type.String({ pattern: '^0x[0-9a-fA-F]{64}$', description }))
const sourceName = Type.String({
  pattern: '^[a-z0-9][a-z0-9-]{0,39}$',
  description: 'Name in GET /swap-sources and in quotes',
})

const uniswapV2 = Type.Object(
  {
    name: sourceName,
    factory: address('Factory of the pairs'),
    router: address('Router of the version 02'),
    feeBps: Type.Optional(Type.Integer({ minimum: 0, maximum: 9_999, default: 30, description: 'Fee of its pairs' })),
    initCodeHash: hash('Hash of the creation code of its pairs; default: that of Uniswap'),
  },
  closed,
)

const uniswapV3 = Type.Object(
  {
    name: sourceName,
    factory: address('Factory of the pools'),
    deployer: Type.Optional(address('Contract that creates the pools, where it is not the factory')),
    quoter: address('QuoterV2'),
    router: address('Router'),
    routerVersion: Type.Optional(
      Type.Union([Type.Literal(1), Type.Literal(2)], {
        default: 1,
        description: '1: SwapRouter, which takes a deadline; 2: SwapRouter02, which does not',
      }),
    ),
    fees: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: 999_999 }), {
        default: [100, 500, 3000, 10000],
        maxItems: 8,
        description: 'Fee tiers to look at, millionths',
      }),
    ),
    initCodeHash: hash('Hash of the creation code of its pools; default: that of Uniswap'),
  },
  closed,
)

const aggregator = Type.Object(
  {
    name: sourceName,
    url: Type.String({ pattern: '^https?://', description: 'Base address of a 0x-shaped API (v2, allowance holder)' }),
    apiKeyVariable: Type.Optional(
      Type.String({ pattern: '^[A-Z][A-Z0-9_]*$', description: 'Environment variable with its API key' }),
    ),
    timeoutMs: Type.Optional(Type.Integer({ minimum: 50, maximum: 30_000, default: 1500 })),
  },
  closed,
)

/** `options.swap` of one EVM chain: where currencies are exchanged. Without it the chain has no swaps. */
export const swapOptions = Type.Object(
  {
    router: address('Swap router of this service (SwapRouter.sol), which runs swaps for users and solver'),
    wrappedNative: address('Wrapped native currency (WETH9)'),
    multicall: Type.Optional(address('Multicall3; without it, calls are batched by JSON-RPC')),
    connectors: Type.Optional(
      Type.Array(address('token'), {
        default: [],
        maxItems: 8,
        description: 'Liquid tokens that routes of several pools go through; the wrapped native one always counts',
      }),
    ),
    priceDepths: Type.Optional(
      Type.Array(Type.Object({ token: address('token'), amount: Type.String({ pattern: '^[0-9]{1,78}$' }) }, closed), {
        default: [],
        maxItems: 32,
        description: 'Smallest units that a pool must hold of a token to be believed when it tells a price',
      }),
    ),
    uniswapV2: Type.Optional(Type.Array(uniswapV2, { default: [], maxItems: 8 })),
    uniswapV3: Type.Optional(Type.Array(uniswapV3, { default: [], maxItems: 8 })),
    aggregators: Type.Optional(Type.Array(aggregator, { default: [], maxItems: 8 })),
  },
  closed,
)

export type SwapOptions = Static<typeof swapOptions>
