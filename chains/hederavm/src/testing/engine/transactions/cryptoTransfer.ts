import type { proto } from '@hiero-ledger/proto'
import { need } from '../refusal.js'
import { allowanceIn, relationIn, type Token } from '../state/entries.js'
import { bigintOf, idText, tokenIdOf } from '../values.js'
import { createByTransfer, namedAccount } from './aliases.js'
import { checkRelation, receivingRelation } from './associations.js'
import type { Context, Transactor } from './context.js'
import { assessFees, type Move } from './customFees.js'
import { checkLists } from './transferLists.js'

/** Moves HBAR and tokens, with custom fees; makes accounts of aliases. */
export const cryptoTransfer: Transactor = {
  check: checkLists,
  apply: ({ cryptoTransfer: body }, context) => {
    const tokens = new Map<string, Token>()
    const moves = (body?.transfers?.accountAmounts ?? []).map((amount) => moveOf(context, amount, null))
    for (const { token: id, transfers, expectedDecimals } of body?.tokenTransfers ?? []) {
      const token = context.token(id)
      const decimals = expectedDecimals?.value ?? token.made.decimals
      need(decimals === token.made.decimals, 'UNEXPECTED_TOKEN_DECIMALS')
      tokens.set(token.id, token)
      for (const amount of transfers ?? []) moves.push(moveOf(context, amount, token.id))
    }
    checkSignatures(context, moves)
    for (const token of tokens.values()) context.assessed.push(...assessFees(token, moves))
    // Credits come first, so that an account may pay on what it receives.
    for (const move of moves) if (move.amount >= 0n) applyMove(context, move)
    for (const move of moves) if (move.amount < 0n) applyMove(context, move)
  },
}

const moveOf = (
  context: Context,
  { accountID, amount, isApproval }: proto.IAccountAmount,
  token: string | null,
): Move => {
  const units = bigintOf(amount)
  const found = namedAccount(context.state, accountID)
  const isNew = found === null && units > 0n && accountID?.alias
  const account = isNew ? createByTransfer(context, accountID.alias ?? new Uint8Array()) : (found ?? '')
  context.account(account)
  return { account, token, amount: units, approval: isApproval === true }
}

const checkSignatures = (context: Context, moves: readonly Move[]): void => {
  for (const { account, amount, approval } of moves) {
    const signs = amount < 0n ? !approval : context.account(account).needsReceiverSignature
    if (signs) context.needSignature(account)
  }
}

const applyMove = (context: Context, move: Move): void => {
  const { account, token, amount, approval } = move
  if (approval) spendAllowance(context, move)
  if (token === null) context.credit(account, amount, 'INSUFFICIENT_ACCOUNT_BALANCE', approval)
  else applyTokenMove(context, move, token)
}

const applyTokenMove = (context: Context, { account, amount, approval, isFee }: Move, id: string): void => {
  const token = context.token(tokenIdOf(id))
  const relation =
    amount > 0n ? receivingRelation(context, account, token) : relationIn(context.state, account, token.id)
  need(relation !== null, 'TOKEN_NOT_ASSOCIATED_TO_ACCOUNT')
  checkRelation(relation)
  const code = isFee ? 'INSUFFICIENT_SENDER_ACCOUNT_BALANCE_FOR_CUSTOM_FEE' : 'INSUFFICIENT_TOKEN_BALANCE'
  need(relation.balance + amount >= 0n, code)
  context.state.put({ ...relation, balance: relation.balance + amount })
  context.moved(account, amount, token.id, approval)
}

const spendAllowance = (context: Context, { account, amount, token }: Move): void => {
  if (amount >= 0n) return
  const allowance = allowanceIn(context.state, account, context.parts.payer, token)
  need(allowance !== null, 'SPENDER_DOES_NOT_HAVE_ALLOWANCE')
  need(allowance.amount + amount >= 0n, 'AMOUNT_EXCEEDS_ALLOWANCE')
  context.state.put({ ...allowance, amount: allowance.amount + amount })
}

/** Lets a spender transfer HBAR and tokens of an owner. */
export const cryptoApproveAllowance: Transactor = {
  apply: ({ cryptoApproveAllowance: body }, context) => {
    const tokens = (body?.tokenAllowances ?? []).map((one) => ({ ...one, token: context.token(one.tokenId).id }))
    const all = [...(body?.cryptoAllowances ?? []).map((one) => ({ ...one, token: null })), ...tokens]
    need(all.length > 0, 'EMPTY_ALLOWANCES')
    for (const { owner, spender, amount, token } of all) {
      const from = owner ? idText(owner.accountNum) : context.parts.payer
      context.needSignature(from)
      const by = context.account(idText(spender?.accountNum)).id
      const index = `allowance:${from}:${by}:${token}`
      context.state.put({ kind: 'allowance', index, amount: bigintOf(amount) })
    }
  },
}
