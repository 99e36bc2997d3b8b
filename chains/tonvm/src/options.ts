import { commonChainOptions, commonChainSettings, firstHeight, orNull, wholeNumber } from '@causeway/core/chain-kit'
import { type Static, Type } from '@sinclair/typebox'
import { validateAddress } from './address/addresses.js'

const COMMON_DEFAULTS = { pollIntervalMs: 1000, rpcTimeoutMs: 5000, endpointCheckMs: 5000 }
const LIFETIME_SECONDS = 120
/** A tenth of a TON: a transfer of jettons attaches half of it. */
const MAX_FEE_NANOTONS = 100_000_000
/** About six weeks. */
const DEPOSIT_HISTORY_BLOCKS = 1_000_000

const account = (description: string) => Type.String({ minLength: 48, maxLength: 67, description })

/** `options` of one TON network in the configuration; README.md explains each. */
export const tonOptions = Type.Object(
  {
    depository: account('Wallet v5r1 of the allocator key, which receives deposits; not the one of the solver'),
    networkId: Type.Optional(
      Type.Integer({
        minimum: -(2 ** 31),
        maximum: 2 ** 31 - 1,
        description: 'Global id of the network, a part of wallet addresses; known for the public networks',
      }),
    ),
    genesisHash: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{64}$',
        description: 'Root hash of the zero state that every node must show; known for the public networks',
      }),
    ),
    protocol: Type.Optional(
      Type.Array(Type.Union([Type.Literal('toncenter'), Type.Literal('v4')]), {
        description: 'What each entry of rpc speaks, in order: toncenter (API v2) or v4; absent: toncenter',
      }),
    ),
    startBlock: firstHeight('masterchain block'),
    ...commonChainOptions(COMMON_DEFAULTS),
    lifetimeSeconds: wholeNumber('Seconds within which a payment must be taken by its wallet', 30, LIFETIME_SECONDS),
    maxFeeNanotons: wholeNumber('Maximum fee of one payment, in nanotons', 10_000_000, MAX_FEE_NANOTONS),
    depositPoolKey: orNull(
      Type.String({ pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$' }),
      'Public key of the "hd" key, in base58, by which deposit addresses with keys of their own are known',
    ),
    depositAccount: orNull(
      account('Wallet whose comments are deposit addresses'),
      'Wallet that deposit addresses are comments of, instead of "depositPoolKey"',
    ),
    depositHistoryBlocks: wholeNumber(
      'Masterchain blocks back in which payments to comments count',
      1,
      DEPOSIT_HISTORY_BLOCKS,
    ),
  },
  { additionalProperties: false },
)

export type TonOptions = Static<typeof tonOptions>

/** Options with every default filled in. */
export type TonSettings = Readonly<ReturnType<typeof resolveOptions>>

export type Protocol = 'toncenter' | 'v4'

/** Numeric ids of the main network (chains.md tonvm 1) and, by our own choice, of the public test network. */
export const TON_CHAIN_ID = 224_235_520
export const TON_TESTNET_CHAIN_ID = 224_235_521

export const MAIN_NETWORK_ID = -239

const TESTNET_ID = -3

const NETWORKS = new Map<number, readonly [networkId: number, genesisHash: string]>([
  [TON_CHAIN_ID, [MAIN_NETWORK_ID, '17a3a92992aabea785a7a090985a265cd31f323d849da51239737e321fb05569']],
  [TON_TESTNET_CHAIN_ID, [TESTNET_ID, '823f81f306ff02694f935cf5021548e3ce2b86b529812af6a12148879e95a128']],
])

/** @throws Error in plain words for an address that is none, or if one account would have two purposes */
export const resolveOptions = (options: TonOptions, chainId: number) => {
  const [knownId = MAIN_NETWORK_ID, knownHash = null] = NETWORKS.get(chainId) ?? []
  const networkId = options.networkId ?? knownId
  const isTestnet = networkId !== MAIN_NETWORK_ID
  const depository = rawOf(options.depository, 'depository', isTestnet)
  const depositAccount = options.depositAccount ? rawOf(options.depositAccount, 'depositAccount', isTestnet) : null
  if (options.depositPoolKey && depositAccount !== null)
    throw new Error(
      'options.depositPoolKey and options.depositAccount are two kinds of deposit addresses. Configure one.',
    )
  if (depositAccount === depository)
    throw new Error(
      'options.depositAccount is the depository, whose deposits have comments of their own. Configure another.',
    )
  return {
    depository,
    networkId,
    isTestnet,
    /** Null: nodes are compared with each other alone. */
    genesisHash: options.genesisHash ?? knownHash,
    protocols: options.protocol ?? [],
    startBlock: options.startBlock ?? null,
    ...commonChainSettings(options, COMMON_DEFAULTS),
    lifetimeSeconds: BigInt(options.lifetimeSeconds ?? LIFETIME_SECONDS),
    maxFeeNanotons: BigInt(options.maxFeeNanotons ?? MAX_FEE_NANOTONS),
    /** Null where addresses have no keys of their own. */
    depositPoolKey: options.depositPoolKey ?? null,
    /** Null where addresses are no comments. */
    depositAccount,
    depositHistoryBlocks: BigInt(options.depositHistoryBlocks ?? DEPOSIT_HISTORY_BLOCKS),
  }
}

const rawOf = (text: string, option: string, isTestnet: boolean): string => {
  const checked = validateAddress(text, { isTestnet })
  if (checked.ok) return checked.canonical
  throw new Error(`options.${option}: ${checked.why}`)
}
