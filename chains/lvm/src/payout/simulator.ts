import { type PaymentSides, PaymentSimulator } from '@causeway/core/chain-kit'
import { NATIVE, PLACEHOLDERS } from '../address/addresses.js'
import { recipientProblem } from '../read/recipients.js'
import { askAccount } from '../rpc/accounts.js'
import { askHead } from '../rpc/blocks.js'
import type { LighterNode, LighterPool } from '../rpc/lighterNode.js'
import { type PaymentForm, paymentForm } from './paymentForm.js'
import type { TransferFees } from './payoutFees.js'

export interface LighterSimulatorDeps {
  readonly depository: string
  readonly pool: LighterPool
  readonly fees: TransferFees
}

/** The exchange runs nothing without a signature: balances of both sides and the fee decide (chains.md lvm 6). */
export const lighterSimulator = ({ depository, pool, fees }: LighterSimulatorDeps) =>
  new PaymentSimulator<LighterNode, PaymentForm>({
    ...{ pool, native: { address: NATIVE, symbol: 'USDC' }, sweeps: null },
    paymentOf: async (payout) => paymentForm(payout, depository),
    costsOf: async (_node, _payout, { from, to, currency, amount }) => {
      const fee = await fees.transferFee(from, to)
      return { fee, taken: currency === NATIVE ? amount + fee : amount }
    },
    sidesOf: (node, _payout, form) => readSides(node, form),
    callOf: (_payout, { from, to, orderId, amount }) => ({ from, to, data: orderId, value: amount.toString() }),
  })

const readSides = async (node: LighterNode, { from, to, currency }: PaymentForm): Promise<PaymentSides> => {
  const isPlaceholder = PLACEHOLDERS.includes(to)
  const { height } = await askHead(node)
  const [payer, recipient] = await Promise.all([askAccount(node, from), isPlaceholder ? null : askAccount(node, to)])
  const refusal = recipientProblem(to, isPlaceholder || recipient !== null)
  return {
    height,
    payer:
      payer === null
        ? null
        : { coins: payer.balances.get(NATIVE) ?? 0n, reserved: 0n, held: payer.balances.get(currency) ?? 0n },
    recipient: { exists: true, opensFrom: null, refusal, isUnlimited: true },
  }
}
