import { commonChainOptions, commonChainSettings, wholeNumber } from '@causeway/core/chain-kit'
import { type Static, Type } from '@sinclair/typebox'

const COMMON_DEFAULTS = { pollIntervalMs: 1000, rpcTimeoutMs: 2000 }

/** `options` of one ledger in the configuration. */
export const ledgerOptions = Type.Object(
  {
    network: Type.String({ minLength: 1, description: 'Name of the ledger that its nodes must serve' }),
    depository: Type.String({ pattern: '^ldg[0-9a-f]{48}$', description: 'Account that receives deposits' }),
    ...commonChainOptions(COMMON_DEFAULTS),
    expiryBlocks: wholeNumber('Blocks within which a payment must be included', 1, 20),
    rangeBlocks: wholeNumber('Blocks that are read at a time', 1, 500),
  },
  { additionalProperties: false },
)

export type LedgerOptions = Static<typeof ledgerOptions>

/** Options with every default filled in. */
export type LedgerSettings = Required<LedgerOptions>

export const resolveOptions = (options: LedgerOptions): LedgerSettings => ({
  ...options,
  ...commonChainSettings(options, COMMON_DEFAULTS),
  expiryBlocks: options.expiryBlocks ?? 20,
  rangeBlocks: options.rangeBlocks ?? 500,
})
