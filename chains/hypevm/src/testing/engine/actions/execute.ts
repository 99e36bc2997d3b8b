import { floatText, PERPS_DECIMALS, readAmount } from '../amounts.js'
import type { Delta, Update } from '../exchangeTx.js'
import { refuse } from '../refusal.js'
import type { Action } from '../signing/actions.js'
import { accountIn, changeAccount, type Place, perpsOf, spotOf, type View } from '../state.js'
import { BUILDER_DEX, type SpotToken, type SpotTokens } from '../tokens.js'
import type { TransferFee } from './activation.js'
import { move } from './transfer.js'

/** An action that the exchange admitted. */
export interface Admitted {
  /** Account that acts. */
  readonly user: string
  /** Address whose nonces count. */
  readonly signer: string
  readonly action: Action
  readonly nonce: number
}

interface Run extends Admitted {
  readonly view: View
  readonly tokens: SpotTokens
}

const textOf = ({ action }: Pick<Run, 'action'>, field: string): string => String(action[field] ?? '')

const addressOf = (run: Pick<Run, 'action'>, field: string): string => textOf(run, field).toLowerCase()

/** The update of a transfer, for both sides. */
const forBoth = (from: string, to: string, delta: Delta): readonly Update[] =>
  [...new Set([from, to])].map((account) => ({ account, delta }))

const usdSend = (run: Run): readonly Update[] => {
  const { user, view, tokens } = run
  const token = tokens.usdc
  const amount = readAmount(textOf(run, 'amount'), token.weiDecimals, PERPS_DECIMALS)
  const [to, place] = [addressOf(run, 'destination'), perpsOf('')]
  const shortage = 'Insufficient balance for withdrawal'
  const { fee } = move(view, { from: user, to, source: place, target: place, token, amount, shortage }, tokens)
  const usdc = floatText(amount, token.weiDecimals)
  return forBoth(user, to, { type: 'internalTransfer', usdc, user, destination: to, fee })
}

/** Members that updates of `send` and `spotTransfer` share. */
const tokenDelta = (token: SpotToken, amount: bigint, { fee, feeToken }: TransferFee, nonce: number) => {
  const text = floatText(amount, token.weiDecimals)
  return { token: token.name, amount: text, usdcValue: text, fee, nativeTokenFee: '0.0', nonce, feeToken }
}

const SHORTAGE = 'Insufficient balance for token transfer'

const spotSend = (run: Run): readonly Update[] => {
  const { user, view, tokens, nonce } = run
  const token = tokens.named(textOf(run, 'token'))
  const amount = readAmount(textOf(run, 'amount'), token.weiDecimals, token.weiDecimals)
  const [to, place] = [addressOf(run, 'destination'), spotOf(token.tokenId)]
  const fee = move(view, { from: user, to, source: place, target: place, token, amount, shortage: SHORTAGE }, tokens)
  return forBoth(user, to, { type: 'spotTransfer', user, destination: to, ...tokenDelta(token, amount, fee, nonce) })
}

/** The balance that a DEX of an action names. @throws Refusal */
const placeOf = (dex: string, token: SpotToken, { usdc }: SpotTokens): Place => {
  if (dex === 'spot') return spotOf(token.tokenId)
  if (dex !== '' && dex !== BUILDER_DEX) return refuse('Invalid perp DEX')
  return token === usdc ? perpsOf(dex) : refuse('Token is not the collateral of this DEX')
}

/** The account whose money an action sends: the signer's, or a sub-account of it. @throws Refusal */
const senderOf = ({ view, user, action }: Run): string => {
  const sub = addressOf({ action }, 'fromSubAccount')
  if (sub === '') return user
  const account = accountIn(view, sub)
  return account?.role === 'subAccount' && account.master === user ? sub : refuse('Invalid sub-account')
}

const sendAsset = (run: Run): readonly Update[] => {
  const { view, tokens, nonce } = run
  const [sourceDex, destinationDex] = [textOf(run, 'sourceDex'), textOf(run, 'destinationDex')]
  const token = tokens.named(textOf(run, 'token'))
  const [source, target] = [placeOf(sourceDex, token, tokens), placeOf(destinationDex, token, tokens)]
  const places = sourceDex === 'spot' && destinationDex === 'spot' ? token.weiDecimals : PERPS_DECIMALS
  const amount = readAmount(textOf(run, 'amount'), token.weiDecimals, places)
  const [from, to] = [senderOf(run), addressOf(run, 'destination')]
  const fee = move(view, { from, to, source, target, token, amount, shortage: SHORTAGE }, tokens)
  const sides = { user: from, destination: to, sourceDex, destinationDex }
  return forBoth(from, to, { type: 'send', ...sides, ...tokenDelta(token, amount, fee, nonce) })
}

const usdClassTransfer = (run: Run): readonly Update[] => {
  const { user, view, tokens, action } = run
  const token = tokens.usdc
  const amount = readAmount(textOf(run, 'amount'), token.weiDecimals, PERPS_DECIMALS)
  const toPerp = action.toPerp === true
  const [perps, spot] = [perpsOf(''), spotOf(token.tokenId)]
  const [source, target] = toPerp ? [spot, perps] : [perps, spot]
  move(view, { from: user, to: user, source, target, token, amount, shortage: SHORTAGE }, tokens)
  const delta = { type: 'accountClassTransfer', usdc: floatText(amount, token.weiDecimals), toPerp }
  return [{ account: user, delta }]
}

const EXECUTORS: Readonly<Record<string, (run: Run) => readonly Update[]>> = {
  ...{ usdSend, spotSend, sendAsset, usdClassTransfer },
  noop: () => [],
}

export const isSupported = ({ type }: Action): boolean => Object.hasOwn(EXECUTORS, type)

/** Applies an action to a state. Returns the updates of the ledgers. @throws Refusal that leaves the state half changed */
export const execute = (view: View, admitted: Admitted, tokens: SpotTokens): readonly Update[] => {
  const updates = EXECUTORS[admitted.action.type]?.({ ...admitted, view, tokens }) ?? refuse('Unsupported action')
  changeAccount(view, admitted.user, { hasSent: true })
  return updates
}
