import { type Assets, PERPS, SPOT, USDC } from './assets.js'
import { indexOfOwner, signerOf } from './owner.js'
import type { SignedTx, Transfer } from './readTransaction.js'
import { need } from './refusal.js'
import { accountIn, addBalance, balanceIn, keyIn, putAccount, putKey, type State, type View } from './state/entries.js'

/** Balance that fees are paid from. */
export const FEE_PLACE = { asset: USDC, route: PERPS }

/** Highest slot of an API key. */
const LAST_SLOT = 254

export interface Conditions {
  readonly assets: Assets
  /** Unix milliseconds. */
  readonly now: number
  /** Micro-USDC that a transfer costs at least. */
  readonly transferFee: bigint
}

/** Checks a transaction before the exchange accepts it. Returns the owner's L1 address. @throws Refusal */
export const checkTransaction = (state: State, tx: SignedTx, conditions: Conditions): string => {
  const { account, slot, nonce, transfer } = tx
  const found = accountIn(state, account)
  need(found !== null, 'accountNotFound')
  need(transfer === undefined || accountIn(state, transfer.to) !== null, 'accountNotFound')
  const key = keyIn(state, account, slot)
  need(slot <= LAST_SLOT && (key !== null || tx.publicKey !== undefined), 'keyNotFound')
  need(tx.expiresAt > conditions.now, 'expired')
  need(nonce === (key?.nonce ?? 0), 'invalidNonce')
  if (transfer !== undefined) checkTransfer(transfer, conditions)
  const owner = signerOf(tx.ownerText, tx.ownerSignature)
  need(owner !== null, 'invalidOwnerSignature')
  need(owner === (found.owner ?? (indexOfOwner(owner) === account ? owner : null)), 'invalidOwnerSignature')
  if (transfer !== undefined) need(canPay(state, account, transfer), 'lowBalance')
  return owner
}

const checkTransfer = ({ asset, fromRoute, toRoute, fee }: Transfer, { assets, transferFee }: Conditions): void => {
  need(assets.find(asset) !== undefined, 'invalidAsset')
  const routes = asset === USDC ? [PERPS, SPOT] : [SPOT]
  need(routes.includes(fromRoute) && routes.includes(toRoute), 'invalidRoute')
  need(fee >= transferFee, 'invalidFee')
}

/** Whether an account has the amount and the fee of a transfer. */
export const canPay = (state: State, account: string, { asset, fromRoute, amount, fee }: Transfer): boolean => {
  const place = { asset, route: fromRoute }
  const isOfFees = asset === FEE_PLACE.asset && fromRoute === FEE_PLACE.route
  if (isOfFees) return balanceIn(state, account, place) >= amount + fee
  return balanceIn(state, account, place) >= amount && balanceIn(state, account, FEE_PLACE) >= fee
}

/** Uses the nonce of a transaction up, and notes the owner that signed it. */
export const useNonce = (view: View, { account, slot, nonce, publicKey }: SignedTx, owner: string): void => {
  putAccount(view, account, owner)
  const key = keyIn(view, account, slot)
  const known = publicKey ?? key?.publicKey
  if (known !== undefined) putKey(view, { account, slot, publicKey: known, nonce: nonce + 1 })
}

/** Moves the amount and the fee of a transfer. */
export const moveTransfer = (view: View, account: string, { to, ...transfer }: Transfer): void => {
  const { asset, fromRoute, toRoute, amount, fee } = transfer
  addBalance(view, account, { asset, route: fromRoute }, -amount)
  addBalance(view, account, FEE_PLACE, -fee)
  addBalance(view, to, { asset, route: toRoute }, amount)
}

/** Moves a transfer back. @throws Error if the receiver has spent it */
export const undoTransfer = (view: View, account: string, { to, ...transfer }: Transfer): void => {
  const { asset, fromRoute, toRoute, amount, fee } = transfer
  const received = { asset, route: toRoute }
  if (balanceIn(view, to, received) < amount) throw new Error(`Account ${to} has spent the transfer`)
  addBalance(view, to, received, -amount)
  addBalance(view, account, { asset, route: fromRoute }, amount)
  addBalance(view, account, FEE_PLACE, fee)
}
