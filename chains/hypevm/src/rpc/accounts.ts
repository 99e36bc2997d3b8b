import { answerOf } from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'
import { type Asked, askInfo } from './exchangeNode.js'
import { ACCOUNT, AMOUNT, SYMBOL } from './fields.js'

const readPerps = answerOf(Type.Object({ withdrawable: AMOUNT }))
const readSpot = answerOf(
  Type.Object({
    balances: Type.Array(Type.Object({ coin: SYMBOL, token: Type.Integer(), total: AMOUNT, hold: AMOUNT })),
  }),
)
const readRole = answerOf(
  Type.Object({
    role: Type.String(),
    data: Type.Optional(Type.Object({ user: Type.Optional(ACCOUNT), master: Type.Optional(ACCOUNT) })),
  }),
)
const readCheck = answerOf(
  Type.Object({ fee: AMOUNT, isSanctioned: Type.Boolean(), userExists: Type.Boolean(), userHasSentTx: Type.Boolean() }),
)
const readAbstraction = answerOf(Type.String())

/** Decimal text of the money that can leave a perpetuals exchange now. */
export const askWithdrawable = async (asked: Asked, user: string, dex: string): Promise<string> =>
  (await askInfo(asked, 'clearinghouseState', readPerps, dex === '' ? { user } : { user, dex })).withdrawable

/** A balance of the spot exchange, decimal text. */
export interface SpotBalance {
  readonly symbol: string
  readonly total: string
  /** Part that open orders hold. */
  readonly hold: string
}

export const askSpotBalances = async (asked: Asked, user: string): Promise<readonly SpotBalance[]> =>
  (await askInfo(asked, 'spotClearinghouseState', readSpot, { user })).balances.map(({ coin, total, hold }) => ({
    ...{ symbol: coin, total, hold },
  }))

/** Role of an account: `missing`, `user`, `vault`, `agent`, `subAccount`, or a word that this adapter does not know. */
export const askRole = async (asked: Asked, user: string): Promise<string> =>
  (await askInfo(asked, 'userRole', readRole, { user })).role

/** An account as a recipient. */
export interface TransferCheck {
  readonly exists: boolean
  readonly isSanctioned: boolean
  /** Decimal text, USDC. */
  readonly fee: string
}

/** @param source - the account that pays */
export const askTransferCheck = async (asked: Asked, user: string, source: string): Promise<TransferCheck> => {
  const { fee, isSanctioned, userExists } = await askInfo(asked, 'preTransferCheck', readCheck, { user, source })
  return { exists: userExists, isSanctioned, fee }
}

/** Account modes that join the balances of several exchanges. */
const JOINED: ReadonlySet<string> = new Set(['unifiedAccount', 'portfolioMargin', 'dexAbstraction'])

/** Whether balances of an account's exchanges are one. */
export const isUnified = async (asked: Asked, user: string): Promise<boolean> =>
  JOINED.has(await askInfo(asked, 'userAbstraction', readAbstraction, { user }))
