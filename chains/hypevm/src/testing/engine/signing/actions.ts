import type { ActionValue } from './msgpack.js'

/** An action of `/exchange`. */
export type Action = { readonly [key: string]: ActionValue } & { readonly type: string }

/** A user-signed action: EIP-712 type, fields in their order, and the field that repeats the nonce. */
export interface UserSigned {
  readonly primaryType: string
  readonly fields: readonly { readonly name: string; readonly type: string }[]
  readonly nonceField: 'nonce' | 'time'
}

const texts = (...names: readonly string[]) => names.map((name) => ({ name, type: 'string' }))

const userSigned = (name: string, fields: UserSigned['fields'], nonceField: UserSigned['nonceField']): UserSigned => ({
  primaryType: `HyperliquidTransaction:${name}`,
  fields: [...texts('hyperliquidChain'), ...fields, { name: nonceField, type: 'uint64' }],
  nonceField,
})

const ASSET_FIELDS = texts('destination', 'sourceDex', 'destinationDex', 'token', 'amount', 'fromSubAccount')

export const USER_SIGNED: Readonly<Record<string, UserSigned>> = {
  usdSend: userSigned('UsdSend', texts('destination', 'amount'), 'time'),
  spotSend: userSigned('SpotSend', texts('destination', 'token', 'amount'), 'time'),
  sendAsset: userSigned('SendAsset', ASSET_FIELDS, 'nonce'),
  usdClassTransfer: userSigned('UsdClassTransfer', [...texts('amount'), { name: 'toPerp', type: 'bool' }], 'nonce'),
}
