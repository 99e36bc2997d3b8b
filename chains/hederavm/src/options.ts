import { commonChainOptions, commonChainSettings, firstHeight, orNull, wholeNumber } from '@causeway/core/chain-kit'
import { type Static, Type } from '@sinclair/typebox'

const COMMON_DEFAULTS = { pollIntervalMs: 1000, rpcTimeoutMs: 5000, endpointCheckMs: 5000 }
const WINDOW_SECONDS = 120
/** One HBAR. */
const MAX_FEE_TINYBARS = 100_000_000
const MIRROR_LAG_BLOCKS = 1
/** About six weeks. */
const DEPOSIT_HISTORY_BLOCKS = 2_000_000

const evmAddress = (description: string) => Type.String({ pattern: '^0x[0-9a-fA-F]{40}$', description })

/** `options` of one Hedera network in the configuration; README.md explains each. */
export const hederaOptions = Type.Object(
  {
    depository: evmAddress(
      'EVM address of the allocator key, whose account receives deposits; not the one of the solver',
    ),
    ledgerId: Type.Optional(
      Type.String({
        pattern: '^(?:[0-9a-f]{2}){1,8}$',
        description: 'Ledger id in hex, by which checksums of accounts are verified; known for the public networks',
      }),
    ),
    genesisHash: Type.Optional(
      Type.String({
        pattern: '^0x[0-9a-f]{64,128}$',
        description: 'Hash of block 0 that every mirror node must show; known for the main network',
      }),
    ),
    startBlock: firstHeight('block'),
    ...commonChainOptions(COMMON_DEFAULTS),
    windowSeconds: wholeNumber('Seconds within which a payment must reach consensus', 30, WINDOW_SECONDS, 180),
    maxFeeTinybars: wholeNumber('Most that one transaction pays to the network, in tinybars', 1, MAX_FEE_TINYBARS),
    mirrorLagBlocks: wholeNumber('Newest blocks of a mirror node that are not read yet', 0, MIRROR_LAG_BLOCKS),
    depositKey: orNull(
      Type.String({ pattern: '^xpub[1-9A-HJ-NP-Za-km-z]{100,112}$' }),
      'Extended public key of the "hd" key, of which each deposit address has a key of its own',
    ),
    depositAccount: orNull(
      evmAddress('EVM address of the account whose memos are deposit addresses'),
      'Account that deposit addresses are memos of, instead of "depositKey"',
    ),
    depositHistoryBlocks: wholeNumber('Blocks back in which payments to memos count', 1, DEPOSIT_HISTORY_BLOCKS),
  },
  { additionalProperties: false },
)

export type HederaOptions = Static<typeof hederaOptions>

/** Options with every default filled in. */
export type HederaSettings = Readonly<ReturnType<typeof resolveOptions>>

/** Numeric ids of the networks: those of their EVM relays (chains.md, Names). */
export const HEDERA_CHAIN_ID = 295
export const HEDERA_TESTNET_CHAIN_ID = 296

const MAIN_BLOCK_0 =
  '0x420fffe68fcd2a1eadcce589fdf9565bcf5a269d02232fe07cdc565b3b6f76ce46a9418ddc1bbe051d4894e04d091f8e'

/** A network that begins again from time to time has no known block 0. */
const NETWORKS: ReadonlyMap<number, { readonly ledgerId: string; readonly genesisHash?: string }> = new Map([
  [HEDERA_CHAIN_ID, { ledgerId: '00', genesisHash: MAIN_BLOCK_0 }],
  [HEDERA_TESTNET_CHAIN_ID, { ledgerId: '01' }],
])

/** @throws Error in plain words when one account would have two purposes, or addresses would be of two kinds */
export const resolveOptions = (options: HederaOptions, chainId: number) => {
  if (options.depositKey && options.depositAccount)
    throw new Error('options.depositKey and options.depositAccount are two kinds of deposit addresses. Configure one.')
  if (options.depositAccount?.toLowerCase() === options.depository.toLowerCase())
    throw new Error(
      'options.depositAccount is the depository, whose deposits have memos of their own. Configure another.',
    )
  return {
    depository: options.depository.toLowerCase(),
    /** Null: checksums are refused. */
    ledgerId: options.ledgerId ?? NETWORKS.get(chainId)?.ledgerId ?? null,
    /** Null: mirror nodes are compared with each other alone. */
    genesisHash: options.genesisHash ?? NETWORKS.get(chainId)?.genesisHash ?? null,
    startBlock: options.startBlock ?? null,
    ...commonChainSettings(options, COMMON_DEFAULTS),
    windowSeconds: BigInt(options.windowSeconds ?? WINDOW_SECONDS),
    maxFeeTinybars: BigInt(options.maxFeeTinybars ?? MAX_FEE_TINYBARS),
    mirrorLagBlocks: BigInt(options.mirrorLagBlocks ?? MIRROR_LAG_BLOCKS),
    /** Null where addresses have no keys of their own. */
    depositKey: options.depositKey ?? null,
    /** Null where addresses are no memos. */
    depositAccount: options.depositAccount?.toLowerCase() ?? null,
    depositHistoryBlocks: BigInt(options.depositHistoryBlocks ?? DEPOSIT_HISTORY_BLOCKS),
  }
}
