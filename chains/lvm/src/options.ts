import { commonChainOptions, commonChainSettings, firstHeight, wholeNumber } from '@causeway/core/chain-kit'
import { type Static, Type } from '@sinclair/typebox'
import { MAX_ACCOUNT } from './address/addresses.js'

/** The main network counts requests: 24,000 points a minute for a premium account, 300 points for most questions. */
const COMMON_DEFAULTS = { pollIntervalMs: 4000, rpcTimeoutMs: 5000, endpointCheckMs: 30_000 }
const LIFETIME_SECONDS = 540
/** The signer of the exchange gives a transaction ten minutes. */
const LONGEST_LIFETIME_SECONDS = 599
/** Ten USDC. */
const MAX_FEE = 10_000_000
const API_KEY_SLOT = 2
const MAX_API_KEY_SLOT = 254

const index = (description: string) => Type.String({ pattern: '^(?:0|[1-9][0-9]{0,14})$', description })

/** `options` of one Lighter exchange in the configuration; README.md explains each. */
export const lighterOptions = Type.Object(
  {
    depository: index('Index of the account that receives deposits, owned by the allocator key'),
    accounts: Type.Array(
      Type.Object(
        {
          account: index('Index of an account of the service: depository or solver'),
          owner: Type.String({
            pattern: '^0x[0-9a-fA-F]{40}$',
            description: 'Ethereum address of the key that owns the account',
          }),
          apiKeyIndex: wholeNumber('Slot of the API key', 0, API_KEY_SLOT, MAX_API_KEY_SLOT),
          apiKeyVariable: Type.Optional(
            Type.String({
              pattern: '^[A-Z_][A-Z0-9_]*$',
              description: 'Environment variable that holds the private API key; needed by the role solver',
            }),
          ),
        },
        { additionalProperties: false },
      ),
      { description: 'Accounts of the service, each with its owner and API key' },
    ),
    signingChainId: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 2 ** 32 - 1,
        description: 'Chain id inside signatures; known for the public networks',
      }),
    ),
    contractAddress: Type.Optional(
      Type.String({
        pattern: '^0x[0-9a-fA-F]{40}$',
        description: 'Contract of the exchange that every endpoint must show at /info',
      }),
    ),
    startBlock: firstHeight('block'),
    ...commonChainOptions(COMMON_DEFAULTS),
    lifetimeSeconds: wholeNumber(
      'Seconds within which a payment must be executed',
      30,
      LIFETIME_SECONDS,
      LONGEST_LIFETIME_SECONDS,
    ),
    maxFeeUsdc: wholeNumber('Maximum fee of one transfer, in millionths of a USDC', 0, MAX_FEE),
  },
  { additionalProperties: false },
)

export type LighterOptions = Static<typeof lighterOptions>

/** Options with every default filled in. */
export type LighterSettings = Readonly<ReturnType<typeof resolveOptions>>

/** Numeric ids of the main network (chains.md lvm 1) and, by our own choice, of the test network. */
export const LIGHTER_CHAIN_ID = 3_586_256
export const LIGHTER_TESTNET_CHAIN_ID = 3_586_257

/** Chain ids inside signatures, by numeric id (chains.md lvm 1). */
const SIGNING_CHAIN_IDS: ReadonlyMap<number, number> = new Map([
  [LIGHTER_CHAIN_ID, 304],
  [LIGHTER_TESTNET_CHAIN_ID, 300],
])

/** An account of the service. */
export interface OwnAccountEntry {
  readonly account: string
  /** Ethereum address in lower case. */
  readonly owner: string
  readonly apiKeyIndex: number
  /** Null: this process has no API key of the account. */
  readonly apiKeyVariable: string | null
}

/** @throws Error in plain words when an index is too large, or two accounts have one owner */
export const resolveOptions = (options: LighterOptions, chainId: number) => {
  const accounts: readonly OwnAccountEntry[] = options.accounts.map((entry) => ({
    account: entry.account,
    owner: entry.owner.toLowerCase(),
    apiKeyIndex: entry.apiKeyIndex ?? API_KEY_SLOT,
    apiKeyVariable: entry.apiKeyVariable ?? null,
  }))
  for (const name of [options.depository, ...accounts.map(({ account }) => account)])
    if (BigInt(name) > MAX_ACCOUNT) throw new Error(`The account index ${name} in the options is too large.`)
  for (const key of ['account', 'owner'] as const)
    if (new Set(accounts.map((entry) => entry[key])).size < accounts.length)
      throw new Error(`Two entries of options.accounts have the same ${key}. Configure one account for each key.`)
  return {
    depository: options.depository,
    accounts,
    signingChainId: options.signingChainId ?? SIGNING_CHAIN_IDS.get(chainId) ?? chainId,
    /** Null: endpoints are compared with each other alone. */
    contractAddress: options.contractAddress?.toLowerCase() ?? null,
    startBlock: options.startBlock ?? null,
    ...commonChainSettings(options, COMMON_DEFAULTS),
    lifetimeSeconds: BigInt(options.lifetimeSeconds ?? LIFETIME_SECONDS),
    maxFeeUsdc: BigInt(options.maxFeeUsdc ?? MAX_FEE),
  }
}
