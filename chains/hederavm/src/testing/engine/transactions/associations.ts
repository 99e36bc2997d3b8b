import { need } from '../refusal.js'
import { MADE_BY_TRANSFER } from '../rules/fees.js'
import { type Relation, relationIn, type Token } from '../state/entries.js'
import type { Context } from './context.js'

/** Associates an account with a token: frozen and without KYC where the token begins so. */
export const associate = ({ state, parts }: Context, account: string, token: Token, automatic = false): Relation => {
  const relation: Relation = {
    ...{ kind: 'relation', index: `relation:${account}:${token.id}`, account, token: token.id, balance: 0n, automatic },
    frozen: token.made.freezeDefault === true && Boolean(token.made.freezeKey),
    approved: !token.made.kycKey,
    createdAt: parts.now,
  }
  state.put(relation)
  return relation
}

/** The association by which an account receives a token: its own, or one of its free automatic slots. @throws Refusal */
export const receivingRelation = (context: Context, id: string, token: Token): Relation => {
  const relation = relationIn(context.state, id, token.id)
  if (relation !== null) return relation
  const account = context.account(id)
  need(account.slots !== 0, 'TOKEN_NOT_ASSOCIATED_TO_ACCOUNT')
  need(account.slots < 0 || account.usedSlots < account.slots, 'NO_REMAINING_AUTOMATIC_ASSOCIATIONS')
  context.state.put({ ...account, usedSlots: account.usedSlots + 1 })
  context.parts.charge(MADE_BY_TRANSFER)
  return associate(context, id, token, true)
}

/** @throws Refusal for an account that may not hold the token now */
export const checkRelation = ({ frozen, approved }: Relation): void => {
  need(!frozen, 'ACCOUNT_FROZEN_FOR_TOKEN')
  need(approved, 'ACCOUNT_KYC_NOT_GRANTED_FOR_TOKEN')
}
