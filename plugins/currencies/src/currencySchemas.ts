import { AddressText, ChainId, RULE_KEYWORD, VmTypeText } from '@causeway/core/plugin'
import { type Static, Type } from '@sinclair/typebox'

export const DEFAULT_LIMIT = 20
export const MAX_LIMIT = 100

/** Body of both searches; each field narrows the result (wire.md 4.1). */
export const CurrenciesBody = Type.Object({
  defaultList: Type.Optional(Type.Boolean({ description: 'Only the default currencies' })),
  chainIds: Type.Optional(Type.Array(ChainId(), { maxItems: 100, description: 'Chains to search' })),
  term: Type.Optional(Type.String({ maxLength: 100, description: 'Part of a symbol, name or address' })),
  address: Type.Optional(Type.String({ maxLength: 256, description: 'Contract address' })),
  currencyId: Type.Optional(Type.String({ maxLength: 256, description: 'The groupID of v1' })),
  tokens: Type.Optional(
    Type.Array(
      Type.String({
        maxLength: 280,
        pattern: '^[1-9][0-9]{0,15}:.+$',
        [RULE_KEYWORD]: 'must have the form <chainId>:<address>',
      }),
      { maxItems: 100, description: 'Entries of the form <chainId>:<address>' },
    ),
  ),
  verified: Type.Optional(Type.Boolean()),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_LIMIT,
      default: DEFAULT_LIMIT,
      [RULE_KEYWORD]: `must be a whole number from 1 to ${MAX_LIMIT}`,
    }),
  ),
  includeAllChains: Type.Optional(
    Type.Boolean({ description: 'With an address or tokens: the same assets on every chain' }),
  ),
  useExternalSearch: Type.Optional(
    Type.Boolean({
      description: 'Also search on the chains, by address, and in sources outside the catalogue; unverified',
    }),
  ),
  depositAddressOnly: Type.Optional(
    Type.Boolean({ description: 'Only currencies that can be paid to a deposit address' }),
  ),
})
export type CurrenciesBody = Static<typeof CurrenciesBody>

const currency = {
  chainId: ChainId(),
  address: AddressText(),
  symbol: Type.String(),
  name: Type.String(),
  decimals: Type.Integer({ minimum: 0 }),
  vmType: VmTypeText(),
  metadata: Type.Object({ logoURI: Type.String(), verified: Type.Boolean(), isNative: Type.Boolean() }),
}

/** Answer of v2: a flat list (wire.md 4.1). */
export const CurrencyList = Type.Array(
  Type.Object(
    {
      ...currency,
      supportsPermit: Type.Optional(
        Type.Literal(true, { description: '`usePermit` takes it by a signature of the token itself, without gas' }),
      ),
      permit2: Type.Optional(
        Type.Literal(true, { description: '`usePermit` takes it by Permit2, after one `approve` that its owner pays' }),
      ),
    },
    { title: 'ListedCurrency' },
  ),
)

/** Answer of v1: one inner list for each asset (wire.md 4.2). */
export const CurrencyGroups = Type.Array(
  Type.Array(Type.Object({ groupID: Type.String(), ...currency }, { title: 'GroupedCurrency' })),
)

/** One entry of an import file. */
export const ImportedCurrency = Type.Object(
  {
    chainId: ChainId(),
    address: AddressText(),
    symbol: Type.String({ minLength: 1, maxLength: 64 }),
    name: Type.String({ minLength: 1, maxLength: 128 }),
    decimals: Type.Integer({ minimum: 0, maximum: 255 }),
    vmType: Type.Optional(Type.String({ minLength: 1, maxLength: 32 })),
    groupID: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    metadata: Type.Optional(
      Type.Object({
        logoURI: Type.Optional(Type.String({ maxLength: 2000 })),
        verified: Type.Optional(Type.Boolean()),
        isNative: Type.Optional(Type.Boolean()),
      }),
    ),
    /** One of the default currencies. */
    default: Type.Optional(Type.Boolean()),
    /** Accepted, without effect: what can be paid to an address is what the solver holds on chains that have them. */
    depositAddress: Type.Optional(Type.Boolean()),
  },
  { title: 'ImportedCurrency' },
)
export type ImportedCurrency = Static<typeof ImportedCurrency>
