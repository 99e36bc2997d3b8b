import { commonChainOptions, commonChainSettings, firstHeight, orNull, wholeNumber } from '@causeway/core/chain-kit'
import { type Static, Type } from '@sinclair/typebox'

const COMMON_DEFAULTS = { pollIntervalMs: 2000, rpcTimeoutMs: 5000, endpointCheckMs: 15_000 }
/** The exchange takes a nonce until two minutes before the end of its documented window. */
const WINDOW_SECONDS = 900
const MAX_WINDOW_SECONDS = 3600
const MAPPING_WAIT_SECONDS = 3600
const LAG_MS = 1000

const address = (description: string) => Type.String({ pattern: '^0x[0-9a-fA-F]{40}$', description })

/** `options` of Hyperliquid in the configuration; README.md explains each. */
export const hypeOptions = Type.Object(
  {
    depository: address('Account of the allocator key, which receives deposits; not the one of the solver'),
    testnet: Type.Optional(
      Type.Boolean({
        description: 'Whether actions are signed for the test network; default: false for chain 1337 alone',
      }),
    ),
    spotUsdc: Type.Optional(
      Type.String({
        pattern: '^0x[0-9a-f]{32}$',
        description:
          'Token id of USDC on the spot exchange, by which the network is identified; known for the public networks',
      }),
    ),
    explorerUrl: orNull(
      Type.String({ pattern: '^https?://', description: 'Host that answers POST /explorer' }),
      'Explorer API, which finds a transaction by its hash alone; without it such lookups see the last hour only',
    ),
    startTime: firstHeight('millisecond'),
    ...commonChainOptions(COMMON_DEFAULTS),
    windowSeconds: wholeNumber('Seconds within which a payment may land', 300, WINDOW_SECONDS, MAX_WINDOW_SECONDS),
    mappingWaitSeconds: wholeNumber(
      'Seconds that a transfer waits for its nonce mapping before it counts as a deposit without an order',
      0,
      MAPPING_WAIT_SECONDS,
      MAPPING_WAIT_SECONDS,
    ),
    lagMs: wholeNumber('Newest milliseconds of the ledger that are not read yet', 0, LAG_MS),
    depositKey: orNull(
      Type.String({ pattern: '^xpub[1-9A-HJ-NP-Za-km-z]{100,112}$' }),
      'Extended public key of the "hd" key, of which each deposit address has a key of its own',
    ),
  },
  { additionalProperties: false },
)

export type HypeOptions = Static<typeof hypeOptions>

/** Options with every default filled in. */
export type HypeSettings = Readonly<ReturnType<typeof resolveOptions>>

/** Numeric ids: of the main network as clients know it, of the test network by configuration (chains.md hypevm 1). */
export const HYPERLIQUID_CHAIN_ID = 1337
export const HYPERLIQUID_TESTNET_CHAIN_ID = 13_370

/** Token ids of USDC on the spot exchanges. */
export const SPOT_USDC = {
  mainnet: '0x6d1e7cde53ba9467b783cb7c530ce054',
  testnet: '0xeb62eee3685fc4c43992febcd9e75443',
} as const

/** Longest time between the signature of a payment and its last chance to land, milliseconds. */
export const LONGEST_WINDOW_MS = BigInt(MAX_WINDOW_SECONDS) * 1000n

export const resolveOptions = (options: HypeOptions, chainId: number) => {
  const isTestnet = options.testnet ?? chainId !== HYPERLIQUID_CHAIN_ID
  return {
    depository: options.depository.toLowerCase(),
    isTestnet,
    spotUsdc: options.spotUsdc ?? (isTestnet ? SPOT_USDC.testnet : SPOT_USDC.mainnet),
    /** Null: a transaction that is known by its hash alone is found among the newest only. */
    explorerUrl: options.explorerUrl ?? null,
    startTime: options.startTime ?? null,
    ...commonChainSettings(options, COMMON_DEFAULTS),
    windowMs: BigInt(options.windowSeconds ?? WINDOW_SECONDS) * 1000n,
    mappingWaitMs: (options.mappingWaitSeconds ?? MAPPING_WAIT_SECONDS) * 1000,
    lagMs: options.lagMs ?? LAG_MS,
    /** Null: no deposit addresses. */
    depositKey: options.depositKey ?? null,
  }
}
