import type { proto } from '@hiero-ledger/proto'
import { need } from '../refusal.js'
import { relationIn, type Token } from '../state/entries.js'
import { type Code, idText } from '../values.js'
import { associate } from './associations.js'
import type { Context, Transactor } from './context.js'

export const tokenAssociate: Transactor = {
  apply: ({ tokenAssociate: body }, context) => {
    const account = context.account(idText(body?.account?.accountNum)).id
    context.needSignature(account)
    for (const id of body?.tokens ?? []) {
      const token = context.token(id)
      need(relationIn(context.state, account, token.id) === null, 'TOKEN_ALREADY_ASSOCIATED_TO_ACCOUNT')
      associate(context, account, token)
    }
  },
}

type KeyName = 'freezeKey' | 'kycKey' | 'pauseKey'

const needTokenKey = (context: Context, { made }: Token, name: KeyName, missing: Code): void => {
  need(Boolean(made[name]), missing)
  context.needKey(made[name])
}

/** A transaction that changes the association of one account, by a key of the token. */
const relationSwitch = (
  kind: 'tokenFreeze' | 'tokenUnfreeze' | 'tokenGrantKyc' | 'tokenRevokeKyc',
  [name, missing]: readonly [KeyName, Code],
  change: { readonly frozen: boolean } | { readonly approved: boolean },
): Transactor => ({
  apply: (body, context) => {
    const { account, token: id }: proto.ITokenFreezeAccountTransactionBody = body[kind] ?? {}
    const token = context.token(id)
    needTokenKey(context, token, name, missing)
    const relation = relationIn(context.state, context.account(idText(account?.accountNum)).id, token.id)
    need(relation !== null, 'TOKEN_NOT_ASSOCIATED_TO_ACCOUNT')
    context.state.put({ ...relation, ...change })
  },
})

const pauseSwitch = (kind: 'tokenPause' | 'tokenUnpause', paused: boolean): Transactor => ({
  apply: (body, context) => {
    const token = context.token(body[kind]?.token, { paused: true })
    needTokenKey(context, token, 'pauseKey', 'TOKEN_HAS_NO_PAUSE_KEY')
    context.state.put({ ...token, paused, modifiedAt: context.parts.now })
  },
})

const FREEZES = ['freezeKey', 'TOKEN_HAS_NO_FREEZE_KEY'] as const
const APPROVES = ['kycKey', 'TOKEN_HAS_NO_KYC_KEY'] as const

export const tokenSwitches = {
  tokenFreeze: relationSwitch('tokenFreeze', FREEZES, { frozen: true }),
  tokenUnfreeze: relationSwitch('tokenUnfreeze', FREEZES, { frozen: false }),
  tokenGrantKyc: relationSwitch('tokenGrantKyc', APPROVES, { approved: true }),
  tokenRevokeKyc: relationSwitch('tokenRevokeKyc', APPROVES, { approved: false }),
  tokenPause: pauseSwitch('tokenPause', true),
  tokenUnpause: pauseSwitch('tokenUnpause', false),
}
