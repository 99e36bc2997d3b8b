import { need } from '../refusal.js'
import { accountOfAlias, putNewAccount, relationsOf } from '../state/entries.js'
import { bigintOf, hexOf, idText } from '../values.js'
import type { Transactor } from './context.js'

/** Makes an account, with an EVM address as its alias if it names one. */
export const cryptoCreateAccount: Transactor = {
  check: ({ cryptoCreateAccount: body }) => {
    need(body?.key !== null && body?.key !== undefined, 'KEY_REQUIRED')
    need(bigintOf(body.initialBalance) >= 0n, 'INVALID_INITIAL_BALANCE')
    need([0, 20].includes(body.alias?.length ?? 0), 'INVALID_ALIAS_KEY')
  },
  apply: ({ cryptoCreateAccount: body }, context) => {
    const alias = body?.alias?.length ? hexOf(body.alias) : null
    need(alias === null || accountOfAlias(context.state, alias) === null, 'ALIAS_ALREADY_ASSIGNED')
    if (body?.receiverSigRequired) context.needKey(body.key)
    const id = context.parts.nextId()
    putNewAccount(context.state, {
      ...{ id, alias, key: body?.key ?? null, memo: body?.memo ?? '', createdAt: context.parts.now },
      slots: body?.maxAutomaticTokenAssociations ?? 0,
      needsReceiverSignature: body?.receiverSigRequired === true,
    })
    const balance = bigintOf(body?.initialBalance)
    context.credit(context.parts.payer, -balance, 'INSUFFICIENT_PAYER_BALANCE')
    context.credit(id, balance, 'INSUFFICIENT_PAYER_BALANCE')
    context.made.account = id
  },
}

/** Changes the key, the memo, the slots or the receiver's signature of an account. */
export const cryptoUpdateAccount: Transactor = {
  apply: ({ cryptoUpdateAccount: body }, context) => {
    const id = idText(body?.accountIDToUpdate?.accountNum)
    context.needSignature(id)
    if (body?.key) context.needKey(body.key)
    const account = context.account(id)
    const slots = body?.maxAutomaticTokenAssociations?.value ?? account.slots
    need(slots < 0 || slots >= account.usedSlots, 'EXISTING_AUTOMATIC_ASSOCIATIONS_EXCEED_GIVEN_LIMIT')
    context.state.put({
      ...{ ...account, slots, key: body?.key ?? account.key, memo: body?.memo?.value ?? account.memo },
      needsReceiverSignature: body?.receiverSigRequiredWrapper?.value ?? account.needsReceiverSignature,
    })
    context.made.account = id
  },
}

/** Deletes an account without tokens; another account receives its HBAR. */
export const cryptoDelete: Transactor = {
  apply: ({ cryptoDelete: body }, context) => {
    const [id, heir] = [idText(body?.deleteAccountID?.accountNum), idText(body?.transferAccountID?.accountNum)]
    need(id !== heir, 'TRANSFER_ACCOUNT_SAME_AS_DELETE_ACCOUNT')
    context.needSignature(id)
    const hasTokens = relationsOf(context.state, id).some((relation) => relation.balance > 0n)
    need(!hasTokens, 'TRANSACTION_REQUIRES_ZERO_TOKEN_BALANCES')
    const { balance } = context.account(id)
    context.credit(heir, balance, 'INSUFFICIENT_ACCOUNT_BALANCE')
    context.credit(id, -balance, 'INSUFFICIENT_ACCOUNT_BALANCE')
    context.state.put({ ...context.account(id), deleted: true })
  },
}
