import { VmTypeText } from '@causeway/core/plugin'
import { type TSchema, Type } from '@sinclair/typebox'

const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
const optionalText = Type.Optional(Type.String())

/** Whether `usePermit` takes a token, and what it asks of its owner. */
const permitFields = {
  supportsPermit: Type.Boolean({ description: '`usePermit` takes it by a signature of the token itself, without gas' }),
  permit2: Type.Boolean({ description: '`usePermit` takes it by Permit2, after one `approve` that its owner pays' }),
}

const token = {
  id: Type.String(),
  symbol: Type.String(),
  name: Type.String(),
  address: Type.String(),
  decimals: Type.Integer(),
}
const bridgedToken = { ...token, supportsBridging: Type.Boolean() }
const fees = { withdrawalFee: Type.Number(), depositFee: Type.Number(), surgeEnabled: Type.Boolean() }

/** One entry of `GET /chains` (wire.md 4.6). */
export const ChainEntry = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    displayName: Type.String(),
    httpRpcUrl: Type.String({ description: 'Public endpoint, empty when there is none' }),
    wsRpcUrl: Type.String({ description: 'Public endpoint, empty when there is none' }),
    explorerUrl: Type.String(),
    explorerName: Type.String(),
    explorerPaths: Type.Object({ transaction: Type.String(), address: Type.String(), token: Type.String() }),
    explorerQueryParams: nullable(Type.Record(Type.String(), Type.String())),
    depositEnabled: Type.Boolean(),
    tokenSupport: Type.Union([Type.Literal('All'), Type.Literal('Limited')]),
    disabled: Type.Boolean(),
    partialDisableLimit: Type.Number(),
    blockProductionLagging: Type.Boolean(),
    currency: Type.Object(bridgedToken),
    ...fees,
    featuredTokens: Type.Array(Type.Object({ ...bridgedToken, metadata: Type.Object({ logoURI: Type.String() }) })),
    erc20Currencies: Type.Array(Type.Object({ ...bridgedToken, ...permitFields, ...fees })),
    solverCurrencies: Type.Array(Type.Object(token)),
    iconUrl: nullable(Type.String()),
    logoUrl: nullable(Type.String()),
    brandColor: nullable(Type.String()),
    contracts: Type.Object({
      multicall3: optionalText,
      multicaller: optionalText,
      onlyOwnerMulticaller: optionalText,
      relayReceiver: optionalText,
      erc20Router: optionalText,
      approvalProxy: optionalText,
      v3: Type.Optional(Type.Object({ erc20Router: optionalText, approvalProxy: optionalText })),
    }),
    vmType: VmTypeText(),
    baseChainId: nullable(Type.Integer()),
    statusMessage: nullable(Type.String()),
    solverAddresses: Type.Array(Type.String()),
    tags: Type.Array(Type.String()),
    protocol: Type.Object({
      v2: Type.Object({
        chainId: nullable(Type.String()),
        depository: nullable(Type.String()),
        depositoryVault: nullable(Type.String()),
      }),
    }),
  },
  { title: 'Chain' },
)

/** Answer of `GET /chains`. */
export const ChainsAnswer = Type.Object({ chains: Type.Array(ChainEntry) })

/** Query of `GET /chains`. */
export const ChainsQuery = Type.Object({
  includeChains: Type.Optional(
    Type.String({ maxLength: 2000, description: 'UUIDs of private chains to list too, separated by commas' }),
  ),
})
