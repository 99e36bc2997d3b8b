import { commonChainOptions, commonChainSettings, firstHeight, orNull, wholeNumber } from '@causeway/core/chain-kit'
import { type Static, Type } from '@sinclair/typebox'
import { validateAddress } from './address/addresses.js'

const COMMON_DEFAULTS = { pollIntervalMs: 1500, rpcTimeoutMs: 5000, endpointCheckMs: 5000 }
const WINDOW_SECONDS = 120
/** No payment was ever given more time, whatever was configured. */
export const LONGEST_WINDOW_SECONDS = 300
/** 200 TRX. */
const MAX_FEE_SUN = 200_000_000

/** `options` of one Tron network in the configuration; README.md explains each. */
export const tronOptions = Type.Object(
  {
    depository: Type.String({
      pattern: '^(?:T[1-9A-HJ-NP-Za-km-z]{33}|41[0-9a-fA-F]{40})$',
      description: 'Contract Depository, which receives deposits',
    }),
    genesisHash: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{64}$',
        description: 'Id of block 0 that every node must show; known for the public networks',
      }),
    ),
    apiKeyVariables: Type.Optional(
      Type.Array(Type.Union([Type.String({ pattern: '^[A-Z][A-Z0-9_]*$' }), Type.Null()]), {
        default: [],
        description: 'Environment variables with the API keys of the nodes, in the order of "rpc"; null: no key',
      }),
    ),
    startBlock: firstHeight('block'),
    ...commonChainOptions(COMMON_DEFAULTS),
    windowSeconds: wholeNumber(
      'Seconds within which a payment must be in a block',
      30,
      WINDOW_SECONDS,
      LONGEST_WINDOW_SECONDS,
    ),
    maxFeeSun: wholeNumber('Most that the network may take for one payment, in sun', 1, MAX_FEE_SUN),
    depositKey: orNull(
      Type.String({ pattern: '^xpub[1-9A-HJ-NP-Za-km-z]{100,112}$' }),
      'Extended public key of the "hd" key, of which each deposit address has a key of its own',
    ),
  },
  { additionalProperties: false },
)

export type TronOptions = Static<typeof tronOptions>

/** Options with every default filled in. */
export type TronSettings = Readonly<ReturnType<typeof resolveOptions>>

/** Numeric ids of the networks: the last four bytes of the id of block 0, as contracts see them (chains.md tvm 1). */
export const TRON_CHAIN_ID = 728_126_428
export const NILE_CHAIN_ID = 3_448_148_188
export const SHASTA_CHAIN_ID = 2_494_104_990

const GENESIS: ReadonlyMap<number, string> = new Map([
  [TRON_CHAIN_ID, '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc'],
  [NILE_CHAIN_ID, '0000000000000000d698d4192c56cb6be724a558448e2684802de4d6cd8690dc'],
  [SHASTA_CHAIN_ID, '0000000000000000de1aa88295e1fcf982742f773e0419c5a9c134c994a9059e'],
])

/** @throws Error in plain words for a depository that is no address */
export const resolveOptions = (options: TronOptions, chainId: number) => {
  const depository = validateAddress(options.depository)
  if (!depository.ok) throw new Error(`options.depository is no address of Tron. ${depository.why}`)
  return {
    depository: depository.canonical,
    /** Null: nodes are compared with each other alone. */
    genesisHash: options.genesisHash ?? GENESIS.get(chainId) ?? null,
    apiKeyVariables: options.apiKeyVariables ?? [],
    startBlock: options.startBlock ?? null,
    ...commonChainSettings(options, COMMON_DEFAULTS),
    windowSeconds: BigInt(options.windowSeconds ?? WINDOW_SECONDS),
    maxFeeSun: BigInt(options.maxFeeSun ?? MAX_FEE_SUN),
    /** Null: no deposit addresses. */
    depositKey: options.depositKey ?? null,
  }
}
