import { type PaymentSides, PaymentSimulator } from '@causeway/core/chain-kit'
import { NATIVE, PLACEHOLDERS } from '../address/addresses.js'
import { amountText } from '../address/amounts.js'
import type { SweepForms } from '../depositAddress/depositAddresses.js'
import { askBalance } from '../read/balances.js'
import { askRecipient } from '../read/recipients.js'
import type { ExchangeNode } from '../rpc/exchangeNode.js'
import { askTime } from '../rpc/status.js'
import { activationOf, type PaymentForm, type PaymentFormDeps, paymentForm } from './paymentForm.js'
import { costsOf } from './payoutFees.js'

export interface HypeSimulatorDeps extends PaymentFormDeps {
  /** Null: no deposit addresses. */
  readonly sweeps: SweepForms | null
}

/** No API server runs a transfer without a signature: balances and rules of both sides decide (chains.md hypevm 6). */
export const hypeSimulator = (deps: HypeSimulatorDeps): PaymentSimulator<ExchangeNode, PaymentForm> =>
  new PaymentSimulator({
    ...{ pool: deps.pool, native: { address: NATIVE, symbol: 'USDC' }, sweeps: deps.sweeps },
    paymentOf: (payout) => paymentForm(payout, deps),
    costsOf: async (node, _payout, form) => {
      const { network, currency } = costsOf(form, await activationOf(node, form, deps))
      return { fee: network, taken: form.amount + network + currency }
    },
    sidesOf: (node, _payout, form) => readSides(node, form, deps),
    callOf: (_payout, { from, to, asset, amount }) => ({
      ...{ from, to, data: `sendAsset ${asset.symbol}`, value: amountText(amount, asset.decimals) },
    }),
  })

const readSides = async (
  node: ExchangeNode,
  { from, to, asset }: PaymentForm,
  { roleOf, depository }: PaymentFormDeps,
): Promise<PaymentSides> => {
  const isKnown = to === depository || PLACEHOLDERS.includes(to)
  const time = await askTime(node)
  const [held, recipient] = await Promise.all([
    askBalance(node, from, asset),
    isKnown ? null : askRecipient(node, { account: to, payer: from, asset, roleOf }),
  ])
  return {
    height: BigInt(time),
    payer: { coins: asset.currency === NATIVE ? held : 0n, reserved: 0n, held },
    recipient: { exists: true, opensFrom: null, refusal: recipient?.why ?? null, isUnlimited: true },
  }
}
