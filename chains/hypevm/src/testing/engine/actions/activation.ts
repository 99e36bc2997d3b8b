import { refuse } from '../refusal.js'
import { accountIn, addBalance, changeAccount, freeIn, type Place, spotOf, type View } from '../state.js'
import type { SpotToken, SpotTokens } from '../tokens.js'

/** Fee of a transfer, as its update shows it. */
export interface TransferFee {
  readonly fee: string
  readonly feeToken: string
}

const NO_FEE: TransferFee = { fee: '0.0', feeToken: '' }

/** The sender of an activation. */
export interface Payer {
  readonly address: string
  readonly place: Place
  readonly token: SpotToken
}

/** Balance that pays for an activation: that of the transfer if its token is a quote token, else one of spot. @throws Refusal */
const gasOf = (view: View, { address, place, token }: Payer, { all }: SpotTokens): Omit<Payer, 'address'> => {
  if (token.isQuote) return { place, token }
  const found = all.find(
    (one) => one.isQuote && freeIn(view, address, spotOf(one.tokenId)) >= 10n ** BigInt(one.weiDecimals),
  )
  if (found !== undefined) return { place: spotOf(found.tokenId), token: found }
  return refuse('Insufficient quote token (e.g., 1 USDC or USDT) balance for token transfer gas.')
}

/** Opens the account of a receiver. The sender pays one unit of a quote token for a new one. @throws Refusal */
export const activate = (view: View, to: string, payer: Payer, tokens: SpotTokens): TransferFee => {
  if (accountIn(view, to) !== undefined) return NO_FEE
  const { place, token } = gasOf(view, payer, tokens)
  const fee = 10n ** BigInt(token.weiDecimals)
  if (freeIn(view, payer.address, place) < fee) refuse(`Insufficient ${token.name} balance for token transfer gas.`)
  addBalance(view, payer.address, place, -fee)
  changeAccount(view, to)
  return { fee: '1.0', feeToken: token.name }
}
