import { refuse } from '../refusal.js'
import { accountIn, addBalance, freeIn, type Place, perpsOf, spotOf, type View } from '../state.js'
import type { SpotToken, SpotTokens } from '../tokens.js'
import { activate, type TransferFee } from './activation.js'

/** Money that moves between two balances. */
export interface Move {
  readonly from: string
  readonly to: string
  readonly source: Place
  readonly target: Place
  readonly token: SpotToken
  readonly amount: bigint
  /** Text of the exchange if the sender holds less. */
  readonly shortage: string
}

/** The balance that holds money of a place: unified accounts have one of perps and spot USDC. */
export const heldAt = (view: View, address: string, place: Place, { usdc }: SpotTokens): Place =>
  place === perpsOf('') && accountIn(view, address)?.isUnified === true ? spotOf(usdc.tokenId) : place

/** Accounts that the exchange does not pay. @throws Refusal */
const checkReceiver = (view: View, to: string): void => {
  const account = accountIn(view, to)
  if (account?.role === 'vault') refuse('Cannot send to a vault')
  if (account?.isSanctioned === true) refuse('User is sanctioned')
}

/** Moves money, and opens the account of the receiver. @throws Refusal */
export const move = (
  view: View,
  { from, to, shortage, token, amount, ...places }: Move,
  tokens: SpotTokens,
): TransferFee => {
  const [source, target] = [heldAt(view, from, places.source, tokens), heldAt(view, to, places.target, tokens)]
  if (from === to && source === target) refuse('Invalid send')
  checkReceiver(view, to)
  if (freeIn(view, from, source) < amount) refuse(shortage)
  addBalance(view, from, source, -amount)
  const fee = activate(view, to, { address: from, place: source, token }, tokens)
  addBalance(view, to, target, amount)
  return fee
}
