import { type Static, Type } from '@sinclair/typebox'

/** `options` of one ledger in the configuration. */
export const ledgerOptions = Type.Object(
  {
    network: Type.String({ minLength: 1, description: 'Name of the ledger that its nodes must serve' }),
    depository: Type.String({ pattern: '^ldg[0-9a-f]{48}$', description: 'Account that receives deposits' }),
    pollIntervalMs: Type.Optional(Type.Integer({ minimum: 10, default: 1000 })),
    rpcTimeoutMs: Type.Optional(Type.Integer({ minimum: 100, default: 2000 })),
    expiryBlocks: Type.Optional(
      Type.Integer({ minimum: 1, default: 20, description: 'Blocks within which a payment must be included' }),
    ),
  },
  { additionalProperties: false },
)

export type LedgerOptions = Static<typeof ledgerOptions>

/** Options with every default filled in. */
export type LedgerSettings = Required<LedgerOptions>

export const resolveOptions = (options: LedgerOptions): LedgerSettings => ({
  pollIntervalMs: 1000,
  rpcTimeoutMs: 2000,
  expiryBlocks: 20,
  ...options,
})
