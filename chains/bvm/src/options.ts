import type { LanePace } from '@causeway/core/chain'
import { commonChainOptions, commonChainSettings, firstHeight, type HdKey, wholeNumber } from '@causeway/core/chain-kit'
import { type Static, Type } from '@sinclair/typebox'
import { parseAddress } from './address/addresses.js'
import type { FeeBounds } from './coins/feeRate.js'
import { readAccountKey } from './derive/depositAddress.js'
import { BITCOIN_CHAIN_ID, BITCOIN_TESTNET_CHAIN_ID, type BitcoinNetwork, NETWORKS } from './network/networks.js'

const COMMON_DEFAULTS = { endpointCheckMs: 15_000, pollIntervalMs: 5000, rpcTimeoutMs: 10_000 }

/** `options` of one Bitcoin chain in the configuration; README.md explains each. */
export const bvmOptions = Type.Object(
  {
    depository: Type.String({ minLength: 14, maxLength: 90, description: 'Address that receives deposits' }),
    network: Type.Optional(
      Type.Union(
        [
          Type.Literal('mainnet'),
          Type.Literal('testnet'),
          Type.Literal('testnet4'),
          Type.Literal('signet'),
          Type.Literal('regtest'),
        ],
        { description: 'Which network it is; needed for every chain id but those of Bitcoin and its testnet' },
      ),
    ),
    genesisHash: Type.Optional(
      Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Hash of block 0 that every endpoint must show' }),
    ),
    access: Type.Optional(
      Type.Array(Type.Union([Type.Literal('esplora'), Type.Literal('core')]), {
        description: 'What each entry of rpc speaks, in order: esplora (REST) or core (JSON-RPC); absent: esplora',
      }),
    ),
    startHeight: firstHeight('block'),
    minFeeRate: wholeNumber('Least satoshis for a virtual byte', 1, 1),
    maxFeeRate: wholeNumber('Most satoshis for a virtual byte that a payout offers', 1, 200),
    feeTarget: wholeNumber('Blocks within which a payout should be in one', 1, 2),
    bumpAfterMs: wholeNumber('A payout in no block for so long is sent again at a higher fee', 500, 1_200_000),
    payoutsPerTransaction: wholeNumber(
      'Payouts that one transaction carries at most; above 1 where nodes pass on several OP_RETURN outputs (Bitcoin Core 30)',
      1,
      1,
    ),
    depositAccountKey: Type.Optional(
      Type.String({
        minLength: 100,
        maxLength: 120,
        description:
          "Extended public key of m/84'/<coin>'/0' of keys.hd (xpub, tpub, zpub or vpub): deposit addresses are of it",
      }),
    ),
    creditSweeps: Type.Optional(
      Type.Boolean({
        description:
          'Sweeps of deposit addresses name the depositor: where nodes pass on OP_RETURN outputs above 83 bytes (Bitcoin Core 30); default false',
      }),
    ),
    inclusionWindowMs: wholeNumber('A payout in no block after this is cancelled', 1000, 86_400_000),
    ...commonChainOptions(COMMON_DEFAULTS, {
      endpointCheckMs: 'How often the nodes are compared with each other',
      pollIntervalMs: 'How often mempool and blocks are asked for',
    }),
    maxAnswerBytes: wholeNumber('Largest answer of a node that is read', 65_536, 64 * 1024 * 1024),
  },
  { additionalProperties: false },
)

export type BvmOptions = Static<typeof bvmOptions>

/** Options with every default filled in. */
export interface BvmSettings {
  readonly network: BitcoinNetwork
  readonly genesisHash: string
  readonly depository: { readonly address: string; readonly script: Uint8Array }
  readonly access: readonly ('esplora' | 'core')[]
  readonly startHeight: bigint | null
  readonly fees: FeeBounds
  readonly feeTarget: number
  readonly pace: LanePace
  readonly payoutsPerTransaction: number
  /** Of deposit addresses; null: there are none. */
  readonly depositAccount: HdKey | null
  readonly creditSweeps: boolean
  readonly endpointCheckMs: number
  readonly pollIntervalMs: number
  readonly rpcTimeoutMs: number
  readonly maxAnswerBytes: number
}

/** Bytes of an answer with a block of four million bytes as hex, and so with any one transaction. */
const LARGEST_BLOCK = 9_000_000
/** Bytes of such a block as it is. */
const LARGEST_BYTES = 4_500_000

/** @throws Error in plain words when the options contradict each other or the chain id */
export const resolveOptions = (options: BvmOptions, chainId: number): BvmSettings => {
  const network = networkOf(options, chainId)
  const depository = parseAddress(options.depository, network)
  if (!depository.ok) throw new Error(`options.depository: ${depository.why}`)
  if (depository.kind !== 'p2wpkh')
    throw new Error('options.depository must be a P2WPKH address, which one key spends.')
  const maxAnswerBytes = options.maxAnswerBytes ?? 64 * 1024 * 1024
  if (maxAnswerBytes < LARGEST_BLOCK && options.access?.includes('core') === true)
    throw new Error(
      `options.maxAnswerBytes must be at least ${LARGEST_BLOCK} for Bitcoin Core: it sends whole blocks as hex.`,
    )
  if (maxAnswerBytes < LARGEST_BYTES && options.depositAccountKey !== undefined)
    throw new Error(
      `options.maxAnswerBytes must be at least ${LARGEST_BYTES} for deposit addresses: blocks are read whole.`,
    )
  const [least, most] = [options.minFeeRate ?? 1, options.maxFeeRate ?? 200]
  if (least > most) throw new Error('options.minFeeRate is above options.maxFeeRate.')
  return {
    network,
    genesisHash: options.genesisHash ?? network.genesisHash,
    depository: { address: depository.canonical, script: depository.script },
    access: options.access ?? [],
    startHeight: options.startHeight === undefined ? null : BigInt(options.startHeight),
    fees: { floor: BigInt(least) * 1000n, cap: BigInt(most) * 1000n },
    feeTarget: options.feeTarget ?? 2,
    pace: { bumpAfterMs: options.bumpAfterMs ?? 1_200_000, inclusionWindowMs: options.inclusionWindowMs ?? 86_400_000 },
    payoutsPerTransaction: options.payoutsPerTransaction ?? 1,
    depositAccount: depositAccountOf(options, network),
    creditSweeps: options.creditSweeps ?? false,
    ...commonChainSettings(options, COMMON_DEFAULTS),
    maxAnswerBytes,
  }
}

const depositAccountOf = ({ depositAccountKey: text }: BvmOptions, network: BitcoinNetwork): HdKey | null => {
  if (text === undefined) return null
  try {
    return readAccountKey(text, network)
  } catch (error) {
    throw new Error(`options.depositAccountKey: ${error instanceof Error ? error.message : 'no key'}`)
  }
}

/** @throws Error for a chain whose network neither its id nor its options tell */
export const networkOf = ({ network }: Pick<BvmOptions, 'network'>, chainId: number): BitcoinNetwork => {
  if (chainId === BITCOIN_CHAIN_ID) {
    if (network !== undefined && network !== 'mainnet') throw new Error(`Chain ${chainId} is Bitcoin's main network.`)
    return NETWORKS.mainnet
  }
  if (network === 'mainnet') throw new Error(`Bitcoin's main network has chain id ${BITCOIN_CHAIN_ID}, not ${chainId}.`)
  if (network !== undefined) return NETWORKS[network]
  if (chainId === BITCOIN_TESTNET_CHAIN_ID) return NETWORKS.testnet
  throw new Error(`Chain ${chainId} is neither Bitcoin nor its testnet: set options.network.`)
}
