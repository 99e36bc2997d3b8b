import type { Payout } from '@causeway/core/chain'
import { type PaymentSides, PaymentSimulator, type TrialResult } from '@causeway/core/chain-kit'
import { NATIVE } from '../address/addresses.js'
import type { SweepForms } from '../depositAddress/sweepForms.js'
import { NOT_SENT } from '../lane/delivery.js'
import { askNewest } from '../read/accounts.js'
import { readBalances } from '../read/balances.js'
import { PLACEHOLDERS, refusalOf } from '../read/recipients.js'
import type { TonNode } from '../rpc/tonApi.js'
import { hasEmulator } from './emulation/emulator.js'
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
    costsOf: async ({ money: { currency, amount } }, { message, attached }) => {
      const fee = (await deps.fees.cost(currency, message.carried !== undefined)) + attached
      // What a deposit address holds was planned; the solver needs the fee.
      const own = message.carried === undefined ? amount : 0n
      return { fee, taken: currency === NATIVE ? own + fee : own }
    },
    sidesOf: (node, payout, form) => readSides(node, payout, form, deps),
    tryAt: (node, form) => trialOf(node, form, runner),
    callOf: (_, { from, memo, message }) => ({ from, to: message.to, data: memo, value: message.value }),
  })
}

const NO_MACHINE = 'Contracts were not run, since @ton/sandbox is not installed.'

const trialOf = async (node: TonNode, form: PaymentForm, runner: PaymentRunner): Promise<TrialResult> => {
  const run = hasEmulator() ? await runner.run(node, form) : ({ isRun: false, why: NO_MACHINE } as const)
  const result = (kind: TrialResult['kind'], message: string) => ({ kind, message, data: '' })
  if (!run.isRun) return result('sides', run.why)
  const { delivery, amount, arrived, fee, isReturned } = run
  if (delivery === null) return result('insufficient-funds', 'The wallet of the payer cannot pay for its gas.')
  if (delivery.state === 'pending') return result('sides', 'A message of the payment was not followed.')
  if (delivery.state === 'failed')
    return result(delivery.why === NOT_SENT ? 'insufficient-funds' : 'unclear', delivery.why)
  if (isReturned) return result('recipient-cannot-receive', 'The account of the recipient sends the payment back.')
  if (arrived < amount)
    return result('revert', `The currency takes a part of a transfer: ${arrived} of ${amount} would arrive.`)
  return { ...result('sides', ''), gas: fee }
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
