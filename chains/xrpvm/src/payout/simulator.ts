import { type JsonRpcClient, type JsonRpcEndpoint, PaymentSimulator } from '@causeway/core/chain-kit'
import { NATIVE } from '../address/addresses.js'
import { readAmount } from '../address/amounts.js'
import type { XrpSettings } from '../options.js'
import { type FeeSource, feeToOffer } from './feeLevels.js'
import { type PaymentForm, paymentForm } from './paymentForm.js'
import { readSides } from './paymentSides.js'
import type { SweepForms } from './sweepForms.js'
import type { TransferRates } from './transferRates.js'
import { tryPayment } from './trialResult.js'

export interface XrpSimulatorDeps {
  readonly rpc: JsonRpcClient
  readonly fees: FeeSource
  readonly rates: TransferRates
  readonly settings: Pick<XrpSettings, 'depository' | 'networkId' | 'maxFeeDrops'>
  /** Null: no deposit addresses. */
  readonly sweeps: SweepForms | null
}

export type XrpSimulator = PaymentSimulator<JsonRpcEndpoint, PaymentForm>

/** A server runs payments without a signature; both sides give the reason of a failure (chains.md xrpvm 6). */
export const xrpSimulator = ({ rpc, fees, rates, settings, sweeps }: XrpSimulatorDeps): XrpSimulator =>
  new PaymentSimulator({
    ...{ pool: rpc, native: { address: NATIVE, symbol: 'XRP' }, sweeps },
    paymentOf: async (payout) => {
      const account = payout.purpose === 'withdraw' ? settings.depository : payout.from
      return paymentForm(payout, { account, rate: await rates.rate(payout.money.currency) })
    },
    costsOf: async (_node, _payout, { Amount, SendMax = Amount }) => {
      const levels = await fees.levels()
      const fee = feeToOffer(levels, settings.maxFeeDrops) ?? levels.least
      return { fee, taken: readAmount(SendMax)?.amount ?? 0n }
    },
    sidesOf: (node, { money }, form) => readSides(node, form, money),
    tryAt: (node, form) => tryPayment(node, form, settings.networkId),
    callOf: ({ money }, { Account, Destination, Memos: [{ Memo }] }) => ({
      ...{ from: Account, to: Destination, value: money.amount.toString() },
      data: Buffer.from(Memo.MemoData, 'hex').toString('utf8'),
    }),
  })
