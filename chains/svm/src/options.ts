import type { Environment } from '@causeway/core'
import { commonChainOptions, commonChainSettings, firstHeight, wholeNumber } from '@causeway/core/chain-kit'
import { type Static, Type } from '@sinclair/typebox'
import { resolveSwapSources, type SwapSourceSettings, swapOptions } from './swap/swapOptions.js'

const base58 = (description: string) => Type.String({ pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$', description })

const COMMON_DEFAULTS = { pollIntervalMs: 1000, rpcTimeoutMs: 5000, endpointCheckMs: 5000, maxHeadAgeSeconds: 0 }

/** `options` of one Solana chain in the configuration; README.md explains each. */
export const svmOptions = Type.Object(
  {
    depository: base58('Account that receives deposits: of the allocator key, or the vault of the depository program'),
    depositoryProgram: Type.Optional(
      Type.Union([base58('Depository program'), Type.Null()], {
        default: null,
        description: 'Without it, deposits are transfers with a memo that holds the order id',
      }),
    ),
    genesisHash: Type.Optional(
      base58('Genesis hash that every endpoint must show; needed for every chain but Solana mainnet'),
    ),
    startSlot: firstHeight('slot'),
    ...commonChainOptions(COMMON_DEFAULTS, {
      pollIntervalMs: 'How often heads and deposits are polled without a websocket',
    }),
    signaturePage: Type.Optional(
      Type.Integer({ minimum: 2, maximum: 1000, default: 1000, description: 'Most signatures in one page' }),
    ),
    depositPoolKey: Type.Optional(
      Type.Union([base58('Public key that signs for pooled deposit addresses'), Type.Null()], {
        default: null,
        description: 'Public key of the holder of the "hd" seed; without it the chain has no deposit addresses',
      }),
    ),
    blockBatch: wholeNumber('Most blocks read in one request for deposit addresses', 1, 4),
    transactionBatch: wholeNumber('Most transactions read in one request', 1, 50),
    minPriorityMicroLamports: wholeNumber('Least price of a compute unit that a payout offers', 0, 0),
    maxPriorityMicroLamports: wholeNumber('Most a payout offers for a compute unit', 0, 1_000_000),
    rescanMs: wholeNumber('How often signatures read lately are read again, from another provider', 100, 60_000),
    swap: Type.Optional(swapOptions),
  },
  { additionalProperties: false },
)

export type SvmOptions = Static<typeof svmOptions>

/** Options with every default filled in. */
export interface SvmSettings {
  readonly depository: string
  readonly depositoryProgram: string | null
  /** Null: no deposit addresses. */
  readonly depositPoolKey: string | null
  readonly blockBatch: number
  readonly genesisHash: string
  readonly startSlot: number | null
  readonly pollIntervalMs: number
  readonly rpcTimeoutMs: number
  readonly endpointCheckMs: number
  readonly maxHeadAgeSeconds: number
  readonly signaturePage: number
  readonly transactionBatch: number
  readonly minPriorityMicroLamports: bigint
  readonly maxPriorityMicroLamports: bigint
  readonly rescanMs: number
  readonly swapSources: readonly SwapSourceSettings[]
}

/** Numeric id of Solana mainnet (chains.md svm 1) and the genesis hash its nodes show. */
export const SOLANA_CHAIN_ID = 792_703_809
const SOLANA_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'

/** @throws Error in plain words when the chain cannot be told from others */
export const resolveOptions = (options: SvmOptions, chainId: number, environment: Environment): SvmSettings => {
  const genesisHash = options.genesisHash ?? (chainId === SOLANA_CHAIN_ID ? SOLANA_GENESIS : null)
  if (genesisHash === null) {
    throw new Error(`Chain ${chainId} is not Solana mainnet: set options.genesisHash, which "getGenesisHash" answers.`)
  }
  return {
    depository: options.depository,
    depositoryProgram: options.depositoryProgram ?? null,
    depositPoolKey: options.depositPoolKey ?? null,
    blockBatch: options.blockBatch ?? 4,
    genesisHash,
    startSlot: options.startSlot ?? null,
    ...commonChainSettings(options, COMMON_DEFAULTS),
    signaturePage: options.signaturePage ?? 1000,
    transactionBatch: options.transactionBatch ?? 50,
    minPriorityMicroLamports: BigInt(options.minPriorityMicroLamports ?? 0),
    maxPriorityMicroLamports: BigInt(options.maxPriorityMicroLamports ?? 1_000_000),
    rescanMs: options.rescanMs ?? 60_000,
    swapSources: resolveSwapSources(options.swap, environment),
  }
}
