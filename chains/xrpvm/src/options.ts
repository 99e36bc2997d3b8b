import { commonChainOptions, commonChainSettings, firstHeight, orNull, wholeNumber } from '@causeway/core/chain-kit'
import { type Static, Type } from '@sinclair/typebox'

const account = (description: string) => Type.String({ pattern: '^r[1-9A-HJ-NP-Za-km-z]{24,34}$', description })

const COMMON_DEFAULTS = { pollIntervalMs: 1000, rpcTimeoutMs: 5000, endpointCheckMs: 5000 }
const LIFETIME_LEDGERS = 20
const MAX_FEE_DROPS = 5000
/** About three months: what came before and was not swept in that time is not looked for. */
const DEPOSIT_HISTORY_LEDGERS = 2_000_000

/** `options` of one XRP Ledger in the configuration; README.md explains each. */
export const xrpOptions = Type.Object(
  {
    depository: account('Account of the allocator key, which receives deposits; not the one of the solver'),
    networkId: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 2 ** 32 - 1,
        description:
          'Network id that every endpoint must show; needed for every chain but the main network and the testnet',
      }),
    ),
    startLedger: firstHeight('ledger'),
    ...commonChainOptions(COMMON_DEFAULTS, {
      pollIntervalMs: 'How often heads and deposits are polled without a websocket',
    }),
    lifetimeLedgers: wholeNumber('Ledgers within which a payment must be included', 4, LIFETIME_LEDGERS),
    maxFeeDrops: wholeNumber('Most that one transaction pays to the network, in drops', 10, MAX_FEE_DROPS),
    depositAccount: orNull(
      account('Account of the "hd" key'),
      'Account that deposit addresses are tags of; without it the chain has no deposit addresses',
    ),
    depositHistoryLedgers: wholeNumber(
      'How many ledgers back payments to deposit addresses are looked for',
      1,
      DEPOSIT_HISTORY_LEDGERS,
    ),
  },
  { additionalProperties: false },
)

export type XrpOptions = Static<typeof xrpOptions>

/** Options with every default filled in. */
export type XrpSettings = Readonly<ReturnType<typeof resolveOptions>>

/** Numeric ids of the main network (chains.md xrpvm 1) and, by our own choice, of the public test network. */
export const XRPL_CHAIN_ID = 537_724
export const XRPL_TESTNET_CHAIN_ID = 537_725

const NETWORK_IDS: ReadonlyMap<number, number> = new Map([
  [XRPL_CHAIN_ID, 0],
  [XRPL_TESTNET_CHAIN_ID, 1],
])

/** @throws Error in plain words when the network id is unknown, or one account would have two purposes */
export const resolveOptions = (options: XrpOptions, chainId: number) => {
  const networkId = options.networkId ?? NETWORK_IDS.get(chainId)
  if (networkId === undefined) {
    const where = 'as "server_info" of its nodes shows it'
    throw new Error(`Chain ${chainId} is no network of the XRP Ledger that is known: set options.networkId, ${where}.`)
  }
  if (options.depositAccount === options.depository) {
    throw new Error(
      'options.depositAccount is the depository: what is paid to a tag there could not be told from deposits.',
    )
  }
  return {
    depository: options.depository,
    networkId,
    startLedger: options.startLedger ?? null,
    ...commonChainSettings(options, COMMON_DEFAULTS),
    lifetimeLedgers: BigInt(options.lifetimeLedgers ?? LIFETIME_LEDGERS),
    maxFeeDrops: BigInt(options.maxFeeDrops ?? MAX_FEE_DROPS),
    /** Null: no deposit addresses. */
    depositAccount: options.depositAccount ?? null,
    depositHistoryLedgers: BigInt(options.depositHistoryLedgers ?? DEPOSIT_HISTORY_LEDGERS),
  }
}
