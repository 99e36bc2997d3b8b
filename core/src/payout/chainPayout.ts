import type { DepositAddress, SweepSource } from '../chain/address/depositAddresses.js'
import type { Simulation } from '../chain/chainAdapter.js'
import type { ChainMoney } from '../chain/chainReferences.js'
import type { Delegation, Payout, PayoutCall, SentAttempt } from '../chain/laneAdapter.js'
import { readSwapOrder, type SwapOrder, swapOrderJson } from '../chain/swaps.js'
import { locatorMember } from '../chain/txLocator.js'
import type { RepriceDecision } from '../quote/quoteEngine.js'
import type { QuoteTerms, TermsEarning, TermsSponsorship } from '../quote/quoteTerms.js'
import { originParts } from './origin/originData.js'
import type { PayoutCallsJson, PayoutData, StoredAttempt, StoredPayout } from './payoutRecord.js'

/** What is paid, by whom, to whom and for which order. */
type PayoutEnds = Pick<Payout, 'purpose' | 'orderId' | 'from' | 'to' | 'money'>

/** What shapes the transaction of a payment beside that. */
type PayoutForm = Omit<Payout, keyof PayoutEnds>

/** Calls of a fill as its terms or its record have them; null or absent: none, or no gas of their own. */
interface FormCalls {
  readonly calls: readonly PayoutCall[]
  readonly gasLimit?: bigint | null | undefined
  readonly delegations?: readonly Delegation[] | undefined
}

interface FormParts {
  readonly calls?: FormCalls | null | undefined
  readonly swap?: SwapOrder | undefined
  /** Native currency beside the payment, smallest unit. */
  readonly topup?: bigint | undefined
  /** Most of the native currency that the transaction may take, smallest unit. */
  readonly feeLimit?: bigint | undefined
  readonly authorization?: Payout['authorization'] | undefined
  readonly sweep?: Payout['sweep'] | undefined
  readonly origin?: Pick<Payout, 'permit' | 'call' | 'delegations'> | undefined
}

/** The form of a payment, from whatever asks: a quote before it has an amount, the terms of a deposit, or the record of a payout. */
export const payoutForm = ({ calls, swap, topup, feeLimit, authorization, sweep, origin }: FormParts): PayoutForm => {
  const { gasLimit, delegations = [] } = calls ?? {}
  return {
    calls: calls?.calls ?? [],
    ...(swap === undefined ? {} : { swap }),
    ...(topup === undefined ? {} : { topup }),
    ...(gasLimit === undefined || gasLimit === null ? {} : { callsGasLimit: gasLimit }),
    ...(delegations.length === 0 ? {} : { delegations }),
    ...(feeLimit === undefined ? {} : { feeLimit }),
    ...(authorization === undefined ? {} : { authorization }),
    ...(sweep === undefined ? {} : { sweep }),
    ...origin,
  }
}

/** A payment as a chain adapter takes it: the one way in which any is made. */
export const chainPayout = ({ purpose, orderId, from, to, money }: PayoutEnds, parts: FormParts = {}): Payout => ({
  purpose,
  orderId,
  from,
  to,
  money,
  ...payoutForm(parts),
})

/** The fill of an order by the terms of its quote: `amount` of the destination's currency, smallest unit, and `swap` as priced now. */
export const fillByTerms = (
  { orderId, recipient, destination, calls, topup }: QuoteTerms,
  { from, amount, swap }: { readonly from: string; readonly amount: bigint; readonly swap?: SwapOrder | undefined },
): Payout => {
  const money: ChainMoney = { currency: destination.currency, amount }
  return chainPayout({ purpose: 'fill', orderId, from, to: recipient, money }, { calls, swap, topup: topup?.amount })
}

/** The payout as a chain adapter takes it, from its record. */
export const toChainPayout = ({
  purpose,
  orderId,
  signer,
  recipient,
  currency,
  amount,
  data,
  address,
}: StoredPayout): Payout =>
  chainPayout(
    { purpose, orderId, from: signer, to: recipient, money: { currency, amount } },
    {
      calls: data.calls === undefined ? undefined : readCalls(data.calls),
      swap: data.swap === undefined ? undefined : readSwapOrder(data.swap),
      topup: data.topup === undefined ? undefined : BigInt(data.topup.amount),
      feeLimit: data.feeLimit === undefined ? undefined : BigInt(data.feeLimit),
      authorization: data.authorization,
      sweep: address === null ? undefined : sweepSource(address, data, currency),
      origin: data.origin === undefined ? undefined : originParts(data.origin),
    },
  )

const sweepSource = (address: DepositAddress, { currencies, after }: PayoutData, currency: string): SweepSource => ({
  address,
  currencies: currencies ?? [currency],
  ...(after === undefined ? {} : { after: BigInt(after) }),
})

const readCalls = ({ list, gasLimit, delegations }: PayoutCallsJson): FormCalls => ({
  calls: list.map((call) => ({ ...call, value: BigInt(call.value) })),
  gasLimit: gasLimit === undefined ? undefined : BigInt(gasLimit),
  delegations,
})

/** A stored attempt as the chain is asked about it. */
export const toSentAttempt = (payout: StoredPayout, attempt: StoredAttempt): SentAttempt => ({
  txId: attempt.txId,
  ...locatorMember(attempt),
  payout: toChainPayout(payout),
})

/** Facts of a simulation that its payout keeps: signing asks the chain nothing, and `explain` shows what was not run. */
export const simulatedData = ({
  gas,
  notRun,
}: Extract<Simulation, { ok: true }>): Pick<PayoutData, 'gas' | 'notRun'> => ({
  gas: gas.toString(),
  ...(notRun !== undefined && { notRun }),
})

/** What of a fill's form is stored with it. */
export const fillFormData = (
  form: Pick<Payout, 'calls' | 'swap' | 'callsGasLimit' | 'delegations'>,
): Pick<PayoutData, 'swap' | 'calls'> => ({
  ...(form.swap === undefined ? {} : { swap: swapOrderJson(form.swap) }),
  ...(form.calls.length === 0
    ? {}
    : {
        calls: {
          list: form.calls.map((call) => ({ ...call, value: call.value.toString() })),
          ...(form.callsGasLimit === undefined ? {} : { gasLimit: form.callsGasLimit.toString() }),
          ...(form.delegations === undefined ? {} : { delegations: form.delegations }),
        },
      }),
})

/** What comes beside a fill, what it leaves over of its deposit, who earns by it and who pays for it, as stored with it. */
export const keptData = (
  { topup }: Pick<QuoteTerms, 'topup'>,
  { excess, integratorFee, earnings, sponsorship }: Pick<Fill, 'excess' | 'integratorFee' | 'earnings' | 'sponsorship'>,
): Pick<PayoutData, 'topup' | 'excess' | 'integratorFee' | 'earnings' | 'sponsorship'> => ({
  ...(topup === undefined ? {} : { topup: { ...topup, amount: topup.amount.toString() } }),
  ...(excess > 0n ? { excess: excess.toString() } : {}),
  ...(integratorFee === undefined
    ? {}
    : { integratorFee: { ...integratorFee, amount: integratorFee.amount.toString() } }),
  ...(earnings === undefined ? {} : { earnings: { ...earnings, list: earnings.list.map(earningJson) } }),
  ...(sponsorship === undefined || sponsorship.amount === 0n ? {} : { sponsorship: sponsorshipJson(sponsorship) }),
})

type Fill = Extract<RepriceDecision, { action: 'fill' }>

const earningJson = ({ wallet: holder, amount, fromDeposit, worth, ...rest }: TermsEarning) => ({
  holder,
  ...rest,
  amount: amount.toString(),
  fromDeposit: fromDeposit.toString(),
  worth: worth.toString(),
})

const sponsorshipJson = ({ wallet: holder, chainId, currency, amount, fees, rateCost }: TermsSponsorship) => ({
  holder,
  chainId,
  currency,
  amount: amount.toString(),
  fees: fees.toString(),
  rateCost: rateCost.toString(),
})
