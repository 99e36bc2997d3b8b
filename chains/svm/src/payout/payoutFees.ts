import type { FeeQuote, Payout, Simulation } from '@causeway/core/chain'
import { NATIVE } from '../address/addresses.js'
import type { SvmSettings } from '../options.js'
import type { MintReader } from '../read/token/mintReader.js'
import { grossFor } from '../read/token/transferFee.js'
import { unitLimit } from './budget.js'
import type { FeeSource } from './fees/feeSource.js'
import { priorityFee, SIGNATURE_LAMPORTS } from './fees/networkFees.js'

const FEE_VALID_MS = 5000

export interface PayoutFeeDeps {
  readonly fees: FeeSource
  readonly settings: Pick<SvmSettings, 'depositoryProgram'>
  readonly mints: MintReader
}

/** Signatures of a payout, and those a program has checked: each costs the same. */
export const signaturesOf = ({ purpose, swap }: Payout): bigint =>
  purpose === 'withdraw' || purpose === 'sweep' || swap !== undefined ? 2n : 1n

/** Accounts whose use decides what a place in a block costs. */
export const pricedAccounts = ({ from }: Payout): readonly string[] => [from]

/** What the solver's lamports lose beyond the payment: signatures, reserved computation, and rent of accounts created for it. */
export const estimatePayoutFee = async (
  payout: Payout,
  simulation: Simulation | undefined,
  { fees, settings, mints }: PayoutFeeDeps,
): Promise<FeeQuote> => {
  const simulated = simulation?.ok ? simulation : null
  const units = unitLimit(payout, simulated?.gas ?? null, settings.depositoryProgram !== null)
  const [price, currencyFee] = await Promise.all([fees.price(pricedAccounts(payout)), currencyFeeOf(payout, mints)])
  const network = SIGNATURE_LAMPORTS * signaturesOf(payout) + priorityFee(units, price)
  const amount = network + (simulated?.accountCreation ?? 0n)
  return {
    network: { currency: NATIVE, amount },
    validForMs: FEE_VALID_MS,
    ...(currencyFee === 0n ? {} : { currencyFee }),
  }
}

/** What the mint keeps so that the whole amount arrives. */
const currencyFeeOf = async ({ money, purpose, swap }: Payout, mints: MintReader): Promise<bigint> => {
  if (money.currency === NATIVE || purpose === 'withdraw' || purpose === 'sweep' || swap !== undefined) return 0n
  const mint = await mints.read(money.currency)
  return mint === null ? 0n : grossFor(money.amount, mint.transferFee) - money.amount
}
