import { depositorySelectors } from '@causeway/contracts-abi'
import { ServiceError } from '@causeway/core'
import type { DepositRequest, FeeQuote, Payout, Simulation } from '@causeway/core/chain'
import { wordOf } from '../address/abi.js'
import { NATIVE, PLACEHOLDERS } from '../address/addresses.js'
import { askAccount, askResources, PRICES_VALID_MS, type PricesNow } from '../rpc/accounts.js'
import { type ContractCall, runCall } from '../rpc/contracts.js'
import type { Asked } from '../rpc/tronNode.js'
import { bytesOf, feeOf, TYPICAL_ENERGY } from './costs.js'
import { type PaymentForm, type PaymentFormDeps, paymentForm, transferData, tryForm } from './paymentForm.js'

/** Energy of deposits that cannot be run, as of an account that does not hold the money. */
const DEPOSIT_ENERGY = { native: 7_000n, transfer: 65_000n } as const
/** What the depository does beside the transfer of a token. */
const DEPOSITORY_ENERGY = 12_000n
const CALL_BYTES = 345n
/** Bytes of TRX that funds a sweep, and of the sweep. */
const FUNDING_BYTES = 340n

/** A deposit of TRX for the caller, under some order. */
const NATIVE_DEPOSIT = depositorySelectors.depositNative.slice(2) + wordOf(0n) + 'f'.repeat(64)

/** Whether TRX activates its recipient. */
export const activates = async (asked: Asked, { to, data }: PaymentForm): Promise<boolean> =>
  data === '' && !PLACEHOLDERS.includes(to) && (await askAccount(asked, to)) === null

/** Costs of deposits, payments and sweeps (chains.md tvm 5 and 7). */
export const tronFees = (
  forms: PaymentFormDeps,
  { prices, solver }: { readonly prices: PricesNow; readonly solver: string },
) => {
  const { pool, depository } = forms
  const quote = (amount: bigint): FeeQuote => ({ network: { currency: NATIVE, amount }, validForMs: PRICES_VALID_MS })
  /** Energy of a token's transfer to the depository, as the solver would make it. */
  const transferEnergy = async (token: string): Promise<bigint> => {
    const { failure, energy } = await runCall(pool, { owner: solver, to: token, data: transferData(depository, 1n) })
    return failure === null ? energy : DEPOSIT_ENERGY.transfer
  }
  /** What the lane pays for a sweep: TRX for the address, and the transfer of it. */
  const sweepFee = async (currency: string): Promise<FeeQuote> => {
    const isNative = currency === NATIVE
    const [now, resources, energy] = await Promise.all([
      prices(),
      askResources(pool, solver),
      isNative ? sweepEnergy(forms, solver) : transferEnergy(currency),
    ])
    const funding = { energy: 0n, bytes: FUNDING_BYTES, hasMemo: true, activates: !isNative }
    return quote(energy * now.energy + feeOf(funding, now, resources))
  }
  return {
    /** What the user pays for the transaction of a deposit. Approvals before it cost more. */
    depositFee: async ({
      from,
      money: { currency, amount },
      explicitDeposit,
    }: Omit<DepositRequest, 'orderId'>): Promise<FeeQuote> => {
      const energyOf = async (call: Omit<ContractCall, 'owner'>, otherwise: bigint): Promise<bigint> => {
        const { failure, energy } = await runCall(pool, { owner: from, ...call })
        return failure === null ? energy : otherwise
      }
      const isNative = currency === NATIVE
      const pulls = !isNative && explicitDeposit
      const [now, resources, moved] = await Promise.all([
        prices(),
        askResources(pool, from),
        isNative
          ? energyOf({ to: depository, data: NATIVE_DEPOSIT, value: 1n }, DEPOSIT_ENERGY.native)
          : energyOf({ to: currency, data: transferData(depository, amount) }, DEPOSIT_ENERGY.transfer),
      ])
      const energy = moved + (pulls ? DEPOSITORY_ENERGY : 0n)
      const spent = { energy, bytes: CALL_BYTES, hasMemo: false, activates: false }
      return quote(feeOf(spent, now, resources))
    },
    payoutFee: async (payout: Payout, simulation?: Simulation): Promise<FeeQuote> => {
      if (payout.purpose === 'sweep') return sweepFee(payout.money.currency)
      const [now, form] = [await prices(), formOf(payout, forms)]
      if (form === null)
        return quote(feeOf({ energy: TYPICAL_ENERGY, bytes: CALL_BYTES, hasMemo: false, activates: false }, now))
      const known = simulation?.ok === true ? simulation.gas : 0n
      const [resources, isNew, trial] = await Promise.all([
        askResources(pool, payout.from),
        activates(pool, form),
        known > 0n ? null : tryForm(pool, form),
      ])
      const energy =
        form.data === '' ? 0n : known > 0n ? known : trial?.failure === null ? trial.energy : TYPICAL_ENERGY
      return quote(feeOf({ energy, bytes: bytesOf(form), hasMemo: form.memo !== '', activates: isNew }, now, resources))
    },
    sweepFee,
  }
}

export type TronFees = ReturnType<typeof tronFees>

/** Energy of a deposit of TRX. */
const sweepEnergy = async ({ pool, depository }: PaymentFormDeps, owner: string): Promise<bigint> => {
  const { failure, energy } = await runCall(pool, { owner, to: depository, data: NATIVE_DEPOSIT, value: 1n })
  return failure === null ? energy : DEPOSIT_ENERGY.native
}

/** Null for a payout that no transaction can be, as its simulation says, and for a withdrawal that is not signed yet. */
const formOf = (payout: Payout, forms: PaymentFormDeps): PaymentForm | null => {
  if (payout.purpose === 'withdraw' && payout.authorization === undefined) return null
  try {
    return paymentForm(payout, forms)
  } catch (error) {
    if (ServiceError.is(error) && error.code === 'INVALID_REQUEST') return null
    throw error
  }
}
