import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { SignedAction } from '../engine/signing/signer.js'
import { badBody, type Request } from './request.js'

const Natural = Type.Integer({ minimum: 0 })
const Word = Type.String({ pattern: '^0x[0-9a-fA-F]{1,64}$' })
const Address = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' })
const Dex = Type.String()
const Network = Type.Union([Type.Literal('Mainnet'), Type.Literal('Testnet')])

const userSigned = { signatureChainId: Type.String({ pattern: '^0x[0-9a-fA-F]+$' }), hyperliquidChain: Network }

/** Fields of the actions that are checked; an unknown action is refused later. */
const ACTIONS = {
  usdSend: Type.Object({ ...userSigned, destination: Address, amount: Type.String(), time: Natural }),
  spotSend: Type.Object({
    ...userSigned,
    destination: Address,
    token: Type.String(),
    amount: Type.String(),
    time: Natural,
  }),
  sendAsset: Type.Object({
    ...{ ...userSigned, destination: Address, sourceDex: Dex, destinationDex: Dex, token: Type.String() },
    ...{ amount: Type.String(), fromSubAccount: Type.Union([Type.Literal(''), Address]), nonce: Natural },
  }),
  usdClassTransfer: Type.Object({ ...userSigned, amount: Type.String(), toPerp: Type.Boolean(), nonce: Natural }),
}

const Body = Type.Object({
  action: Type.Object({ type: Type.String() }),
  nonce: Natural,
  signature: Type.Object({ r: Word, s: Word, v: Type.Union([0, 1, 27, 28].map((v) => Type.Literal(v))) }),
  vaultAddress: Type.Optional(Type.Union([Address, Type.Null()])),
  expiresAfter: Type.Optional(Type.Union([Natural, Type.Null()])),
})

const isAction = (action: Static<typeof Body>['action']): boolean => {
  const { type } = action
  const schema = Object.entries(ACTIONS).find(([name]) => name === type)?.[1]
  return schema === undefined || Value.Check(schema, action)
}

/** The body of `/exchange`. @throws CallError for another form */
export const signedBodyOf = (body: Request): SignedAction => {
  if (!Value.Check(Body, body) || !isAction(body.action)) throw badBody()
  const { vaultAddress, expiresAfter, ...signed } = body
  // CAST: JSON, of which the fields of known actions were checked.
  const action = signed.action as SignedAction['action']
  return {
    ...{ ...signed, action },
    ...(vaultAddress == null ? {} : { vaultAddress }),
    ...(expiresAfter == null ? {} : { expiresAfter }),
  }
}
