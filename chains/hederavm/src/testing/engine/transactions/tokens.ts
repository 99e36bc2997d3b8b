import type { proto } from '@hiero-ledger/proto'
import { need } from '../refusal.js'
import { relationIn, type Token } from '../state/entries.js'
import { bigintOf, idText } from '../values.js'
import { associate } from './associations.js'
import type { Context, Transactor } from './context.js'

const MOST_FEES = 10

const checkFees = (fees: readonly proto.ICustomFee[]): void => {
  need(fees.length <= MOST_FEES, 'CUSTOM_FEES_LIST_TOO_LONG')
  for (const { fixedFee, fractionalFee } of fees) {
    need(Boolean(fixedFee ?? fractionalFee), 'CUSTOM_FEE_NOT_FULLY_SPECIFIED')
    need(!fixedFee || bigintOf(fixedFee.amount) > 0n, 'CUSTOM_FEE_MUST_BE_POSITIVE')
    need(!fractionalFee || bigintOf(fractionalFee.fractionalAmount?.denominator) !== 0n, 'FRACTION_DIVIDES_BY_ZERO')
  }
}

/** Collectors must be able to receive their fees; those of a fraction of the token are associated with it. */
const prepareCollectors = (context: Context, token: Token): void => {
  for (const fee of token.fees) {
    const collector = context.account(idText(fee.feeCollectorAccountId?.accountNum)).id
    const paidIn = fee.fixedFee?.denominatingTokenId && idText(fee.fixedFee.denominatingTokenId.tokenNum)
    const isOwn = fee.fractionalFee || paidIn === '0.0.0' || paidIn === token.id
    if (isOwn && relationIn(context.state, collector, token.id) === null) associate(context, collector, token)
    const isReady = isOwn || !paidIn || relationIn(context.state, collector, paidIn) !== null
    need(Boolean(isReady), 'TOKEN_NOT_ASSOCIATED_TO_FEE_COLLECTOR')
  }
}

/** Makes a fungible token; its treasury has the supply. */
export const tokenCreation: Transactor = {
  check: ({ tokenCreation: body }) => {
    // The local network has no NFTs.
    need((body?.tokenType ?? 0) === 0, 'NOT_SUPPORTED')
    need(Boolean(body?.name), 'MISSING_TOKEN_NAME')
    need(Boolean(body?.symbol), 'MISSING_TOKEN_SYMBOL')
    const [supply, most] = [bigintOf(body?.initialSupply), bigintOf(body?.maxSupply)]
    need(supply >= 0n && (most === 0n || supply <= most), 'INVALID_TOKEN_INITIAL_SUPPLY')
    checkFees(body?.customFees ?? [])
  },
  apply: ({ tokenCreation: body }, context) => {
    const made = body ?? {}
    const treasury = context.account(idText(made.treasury?.accountNum), 'INVALID_TREASURY_ACCOUNT_FOR_TOKEN').id
    context.needSignature(treasury)
    if (made.adminKey) context.needKey(made.adminKey)
    const id = context.parts.nextId()
    const [createdAt, supply] = [context.parts.now, bigintOf(made.initialSupply)]
    const token: Token = {
      ...{ kind: 'token', index: `token:${id}`, id, made, treasury, supply, fees: made.customFees ?? [] },
      ...{ paused: false, deleted: false, createdAt, modifiedAt: createdAt },
    }
    context.state.put(token)
    const relation = associate(context, treasury, token)
    context.state.put({ ...relation, frozen: false, approved: true, balance: supply })
    prepareCollectors(context, token)
    context.moved(treasury, supply, id)
    context.made.token = id
  },
}

export const tokenMint: Transactor = {
  apply: ({ tokenMint: body }, context) => {
    const token = context.token(body?.token)
    need(context.parts.trusted || Boolean(token.made.supplyKey), 'TOKEN_HAS_NO_SUPPLY_KEY')
    context.needKey(token.made.supplyKey)
    const [amount, most] = [bigintOf(body?.amount), bigintOf(token.made.maxSupply)]
    need(amount > 0n, 'INVALID_TOKEN_MINT_AMOUNT')
    need(most === 0n || token.supply + amount <= most, 'TOKEN_MAX_SUPPLY_REACHED')
    const relation = relationIn(context.state, token.treasury, token.id)
    need(relation !== null, 'TOKEN_NOT_ASSOCIATED_TO_ACCOUNT')
    context.state.put({ ...relation, balance: relation.balance + amount })
    context.state.put({ ...token, supply: token.supply + amount, modifiedAt: context.parts.now })
    context.moved(token.treasury, amount, token.id)
    context.made.supply = token.supply + amount
  },
}

/** Ends a token; balances stay as they are. */
export const tokenDeletion: Transactor = {
  apply: ({ tokenDeletion: body }, context) => {
    const token = context.token(body?.token)
    need(context.parts.trusted || Boolean(token.made.adminKey), 'TOKEN_IS_IMMUTABLE')
    context.needKey(token.made.adminKey)
    context.state.put({ ...token, deleted: true, modifiedAt: context.parts.now })
  },
}

export const tokenFeeScheduleUpdate: Transactor = {
  check: ({ tokenFeeScheduleUpdate: body }) => checkFees(body?.customFees ?? []),
  apply: ({ tokenFeeScheduleUpdate: body }, context) => {
    const token = context.token(body?.tokenId)
    need(context.parts.trusted || Boolean(token.made.feeScheduleKey), 'TOKEN_HAS_NO_FEE_SCHEDULE_KEY')
    context.needKey(token.made.feeScheduleKey)
    const changed = { ...token, fees: body?.customFees ?? [], modifiedAt: context.parts.now }
    context.state.put(changed)
    prepareCollectors(context, changed)
  },
}
