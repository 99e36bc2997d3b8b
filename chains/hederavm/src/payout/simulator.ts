import { ServiceError } from '@causeway/core'
import { type PaymentSides, PaymentSimulator } from '@causeway/core/chain-kit'
import { NATIVE } from '../address/addresses.js'
import type { SweepForms } from '../depositAddress/sweepForms.js'
import { askRecipient, PLACEHOLDERS } from '../read/recipients.js'
import { askAccount, askRelation } from '../rpc/accounts.js'
import { askNewest } from '../rpc/blocks.js'
import type { MirrorNode } from '../rpc/mirrorNode.js'
import { type PaymentForm, type PaymentFormDeps, paymentForm } from './paymentForm.js'
import type { RateNow } from './prices.js'

export interface HederaSimulatorDeps extends PaymentFormDeps {
  readonly rate: RateNow
  /** Null: no deposit addresses. */
  readonly sweeps: SweepForms | null
}

/** No node runs a transfer without a signature: balances and rules of both sides decide (chains.md hederavm 6). */
export const hederaSimulator = (deps: HederaSimulatorDeps): PaymentSimulator<MirrorNode, PaymentForm> =>
  new PaymentSimulator({
    ...{ pool: deps.pool, native: { address: NATIVE, symbol: 'HBAR' }, sweeps: deps.sweeps },
    paymentOf: (payout) => paymentForm(payout, deps),
    costsOf: async (_node, _payout, { amounts, currency, price, payer, from }) => {
      const fee = (await deps.rate())(price)
      return { fee, taken: currency === NATIVE && payer === from ? amounts.taken + fee : amounts.taken }
    },
    sidesOf: (node, _, form) => readSides(node, form),
    callOf: (_, { from, to, memo, amounts }) => ({ from, to, data: memo, value: amounts.sent.toString() }),
  })

/** Both sides of a payment. The fee payer must hold the fee, also where another account sends the money. */
const readSides = async (node: MirrorNode, form: PaymentForm): Promise<PaymentSides> => {
  const { payer, from, to, currency } = form
  const [{ height }, sender, feePayer, relation, recipient] = await Promise.all([
    askNewest(node),
    askAccount(node, from),
    payer === from ? null : askAccount(node, payer),
    currency === NATIVE ? null : askRelation(node, from, currency),
    PLACEHOLDERS.includes(to) ? null : askRecipient(node, to, currency),
  ])
  const isMoving = relation !== null && !relation.isFrozen && !relation.lacksKyc
  // The solver pays the fee of a withdrawal or sweep, so the sender needs no HBAR for it.
  const coins = currency === NATIVE || payer === from ? (sender?.balance ?? 0n) : (feePayer?.balance ?? 0n)
  return {
    height,
    payer: sender === null || sender.isDeleted ? null : { coins, reserved: 0n, held: isMoving ? relation.balance : 0n },
    recipient: { exists: true, opensFrom: null, refusal: recipient?.why ?? null, isUnlimited: true },
  }
}

/** @throws ServiceError where the chain has no deposit addresses */
export const requireSweeps = (sweeps: SweepForms | null): SweepForms => {
  if (sweeps !== null) return sweeps
  throw new ServiceError('SERVICE_UNAVAILABLE', 'This chain has no deposit addresses.')
}
