import type { Payout } from '@causeway/core/chain'
import { type PaymentSides, PaymentSimulator } from '@causeway/core/chain-kit'
import { NATIVE } from '../address/addresses.js'
import type { SweepForms } from '../depositAddress/depositAddresses.js'
import { askNewest } from '../read/accounts.js'
import { readBalances } from '../read/balances.js'
import { PLACEHOLDERS, refusalOf } from '../read/recipients.js'
import type { TonNode } from '../rpc/tonApi.js'
import { PaymentRunner } from './emulation/paymentRun.js'
import { type PaymentForm, type PaymentFormDeps, paymentForm } from './paymentForm.js'
import type { TonFees } from './payoutFees.js'

export interface TonSimulatorDeps extends PaymentFormDeps {
  readonly depository: string
  readonly networkId: number
  readonly fees: TonFees
  /** Null: no deposit addresses. */
  readonly sweeps: Pick<SweepForms, 'plan'> | null
}

export type TonSimulator = PaymentSimulator<TonNode, PaymentForm>

/** Runs payments where the optional virtual machine is installed; balances and states of both sides count as well (chains.md tonvm 6). */
export const tonSimulator = (deps: TonSimulatorDeps): TonSimulator => {
  const runner = new PaymentRunner(deps.networkId)
  return new PaymentSimulator({
    ...{ pool: deps.pool, native: { address: NATIVE, symbol: 'TON' }, sweeps: deps.sweeps },
    paymentOf: (payout) => paymentForm(payout, payout.purpose === 'withdraw' ? deps.depository : payout.from, deps),
    costsOf: async (_, { money: { currency, amount } }, { message, attached }) => {
      const fee = (await deps.fees.cost(currency, message.carried !== undefined)) + attached
      // The plan of a sweep knows the money of the address; the solver needs the fee alone.
      const own = message.carried === undefined ? amount : 0n
      return { fee, taken: currency === NATIVE ? own + fee : own }
    },
    sidesOf: (node, payout, form) => readSides(node, payout, form, deps),
    tryAt: (node, form) => runner.run(node, form),
    callOf: (_, { from, memo, message }) => ({ from, to: message.to, data: memo, value: message.value }),
  })
}

const readSides = async (
  node: TonNode,
  { to, money: { currency } }: Payout,
  { from }: PaymentForm,
  { wallets }: PaymentFormDeps,
): Promise<PaymentSides> => {
  const { address } = to
  const asked = [NATIVE, currency].map((each) => ({ address: from, currency: each }))
  const [{ height }, balances, refusal] = await Promise.all([
    askNewest(node),
    readBalances(node, asked, wallets),
    PLACEHOLDERS.includes(address) ? null : refusalOf(node, { address, currency }, wallets),
  ])
  const [coins, held] = balances.amounts
  return {
    height,
    payer: { coins: coins ?? 0n, reserved: 0n, held: held ?? 0n },
    recipient: { exists: true, opensFrom: null, refusal, isUnlimited: currency === NATIVE },
  }
}
