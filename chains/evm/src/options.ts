import { commonChainOptions, commonChainSettings, firstHeight, wholeNumber } from '@causeway/core/chain-kit'
import { type Static, Type } from '@sinclair/typebox'
import type { Contracts, PermitContracts } from './address/addresses.js'
import { publicChains } from './setup/publicChains.js'
import { swapOptions } from './swap/swapOptions.js'
import { resolveSwapOptions } from './swap/swapSettings.js'

const ADDRESS = '^0x[0-9a-fA-F]{40}$'
const address = (description: string) => Type.String({ pattern: ADDRESS, description })

/** Where Permit2 is on most chains. */
export const CANONICAL_PERMIT2 = '0x000000000022d473030f116ddee9f6b43ac78ba3'
/** EntryPoint of ERC-4337, versions 0.8 and 0.9: they take calls of accounts with a key alone. */
const ENTRY_POINTS = ['0x4337084d9e255ff0702461cf8895ce9e3b5ff108', '0x433709009b8330fda32311df1c2afa402ed8d009']

const COMMON_DEFAULTS = { pollIntervalMs: 1000, rpcTimeoutMs: 5000, endpointCheckMs: 5000, maxHeadAgeSeconds: 0 }

/** `options` of one EVM chain in the configuration; README.md explains each. */
export const evmOptions = Type.Object(
  {
    depository: address('Depository contract that receives deposits'),
    fillRouter: Type.Optional(
      Type.Union([address('Contract that pays contracts and runs calls'), Type.Null()], {
        default: null,
        description: 'Without it, payouts with calls are refused',
      }),
    ),
    depositAddressFactory: Type.Optional(
      Type.Union([address('Contract that makes deposit addresses and sweeps them into the depository'), Type.Null()], {
        default: null,
        description: 'Without it, this chain has no deposit addresses',
      }),
    ),
    formerDepositAddressFactories: Type.Optional(
      Type.Array(address('Factory of deposit addresses that was replaced'), {
        default: [],
        description: 'Addresses that these factories made are still swept; new addresses are not made by them',
      }),
    ),
    permitRouter: Type.Optional(
      Type.Union([address('Contract that brings in deposits that users only sign for'), Type.Null()], {
        default: null,
        description: 'Without it, users send their deposits themselves',
      }),
    ),
    permit2: Type.Optional(
      Type.String({
        pattern: ADDRESS,
        default: CANONICAL_PERMIT2,
        description: 'Permit2 of this chain, which the permit router was deployed with',
      }),
    ),
    directCallTargets: Type.Optional(
      Type.Array(address('contract'), {
        default: ENTRY_POINTS,
        description:
          'Contracts that refuse contract callers: what users want called there is sent from the payout account itself, which must hold nothing there',
      }),
    ),
    owner: Type.Optional(
      address('Owner of the depository, who may name another allocator; `causeway contracts deploy` gives it there'),
    ),
    acceptedCodeHashes: Type.Optional(
      Type.Array(Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' }), {
        default: [],
        description:
          'Keccak-256 of the code of contracts of an earlier release that this chain still uses; other code than that of this release is refused without it',
      }),
    ),
    startBlock: firstHeight('block'),
    maxLogRange: wholeNumber('Most blocks in one eth_getLogs; halved when a node refuses, then grown again', 1, 2000),
    ...commonChainOptions(COMMON_DEFAULTS, { pollIntervalMs: 'How often heads are polled without a websocket' }),
    feeMode: Type.Optional(
      Type.Union([Type.Literal('eip1559'), Type.Literal('legacy')], {
        default: 'eip1559',
        description: 'Transaction type of payouts',
      }),
    ),
    l1DataFee: Type.Optional(
      Type.Union([Type.Literal('none'), Type.Literal('op-stack')], {
        default: 'none',
        description: 'Whether a separate fee for data on the parent chain is added to estimates',
      }),
    ),
    minGasBumpPercent: wholeNumber('Least fee increase of a replacement, per cent', 10, 12),
    maxFeePerGasCap: Type.Optional(
      Type.String({ pattern: '^[0-9]+$', description: 'Most a payout offers for one gas, in wei' }),
    ),
    minPriorityFee: Type.Optional(
      Type.String({
        pattern: '^[0-9]{1,30}$',
        description:
          'Least tip for one gas, in wei, or least gas price with feeMode legacy; default: that of the public chain with this id, else 0',
      }),
    ),
    recipientGasLimit: wholeNumber('Most gas a payout without calls may use', 30_000, 500_000),
    callsGasLimit: wholeNumber('Most gas a payout with calls may use', 30_000, 5_000_000),
    signatureGasLimit: wholeNumber(
      'Most gas a contract wallet may use to say whether a signature is its own, and as much to be deployed for that',
      30_000,
      1_000_000,
    ),
    rescanMs: wholeNumber('How often blocks read lately are read again, from another provider', 100, 60_000),
    pendingBlocks: wholeNumber('Blocks below the tip that are always among those read again', 2, 64),
    swap: Type.Optional(swapOptions),
    zeroResetTokens: Type.Optional(
      Type.Array(address('token'), {
        default: [],
        description: 'Tokens whose allowance must be set to zero before it is changed',
      }),
    ),
  },
  { additionalProperties: false },
)

export type EvmOptions = Static<typeof evmOptions>

/** Options with every default filled in and addresses in lower case. */
export interface EvmSettings extends Omit<Contracts, 'chainId'> {
  /** Null where the configuration does not state it. */
  readonly owner: string | null
  readonly acceptedCodeHashes: ReadonlySet<string>
  readonly startBlock: bigint | null
  readonly maxLogRange: bigint
  readonly pollIntervalMs: number
  readonly feeMode: 'eip1559' | 'legacy'
  readonly l1DataFee: 'none' | 'op-stack'
  readonly minGasBumpPercent: bigint
  readonly maxFeePerGasCap: bigint | null
  /** Wei for one gas. */
  readonly minPriorityFee: bigint
  readonly rpcTimeoutMs: number
  readonly endpointCheckMs: number
  readonly maxHeadAgeSeconds: number
  readonly callsGasLimit: bigint
  readonly signatureGasLimit: bigint
  readonly rescanMs: number
  readonly pendingBlocks: bigint
  readonly zeroResetTokens: ReadonlySet<string>
}

const permitsOf = ({ permitRouter, permit2 = CANONICAL_PERMIT2 }: EvmOptions): PermitContracts | null =>
  permitRouter === undefined || permitRouter === null
    ? null
    : { router: permitRouter.toLowerCase(), permit2: permit2.toLowerCase() }

/** The least tip of an option or of the public chain with this id, wei for one gas; 0 where neither names one. */
export const minPriorityFeeOf = (chainId: number, named: unknown): bigint => {
  const preset = publicChains.find(({ id }) => id === chainId)?.options.minPriorityFee
  return BigInt(String(named ?? preset ?? 0))
}

export const resolveOptions = (options: EvmOptions, chainId: number): EvmSettings => ({
  depository: options.depository.toLowerCase(),
  fillRouter: options.fillRouter?.toLowerCase() ?? null,
  depositAddressFactory: options.depositAddressFactory?.toLowerCase() ?? null,
  formerDepositAddressFactories: (options.formerDepositAddressFactories ?? []).map((factory) => factory.toLowerCase()),
  permits: permitsOf(options),
  directCallTargets: new Set((options.directCallTargets ?? ENTRY_POINTS).map((target) => target.toLowerCase())),
  owner: options.owner?.toLowerCase() ?? null,
  acceptedCodeHashes: new Set((options.acceptedCodeHashes ?? []).map((hash) => hash.toLowerCase())),
  startBlock: options.startBlock === undefined ? null : BigInt(options.startBlock),
  maxLogRange: BigInt(options.maxLogRange ?? 2000),
  ...commonChainSettings(options, COMMON_DEFAULTS),
  feeMode: options.feeMode ?? 'eip1559',
  l1DataFee: options.l1DataFee ?? 'none',
  minGasBumpPercent: BigInt(options.minGasBumpPercent ?? 12),
  maxFeePerGasCap: options.maxFeePerGasCap === undefined ? null : BigInt(options.maxFeePerGasCap),
  minPriorityFee: minPriorityFeeOf(chainId, options.minPriorityFee),
  recipientGasLimit: BigInt(options.recipientGasLimit ?? 500_000),
  callsGasLimit: BigInt(options.callsGasLimit ?? 5_000_000),
  signatureGasLimit: BigInt(options.signatureGasLimit ?? 1_000_000),
  rescanMs: options.rescanMs ?? 60_000,
  pendingBlocks: BigInt(options.pendingBlocks ?? 64),
  zeroResetTokens: new Set((options.zeroResetTokens ?? []).map((token) => token.toLowerCase())),
  swap: options.swap === undefined ? null : resolveSwapOptions(options.swap),
})
