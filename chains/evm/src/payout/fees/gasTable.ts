import type { Payout, PermitKind } from '@causeway/core/chain'
import { ZERO_ADDRESS } from '../../address/addresses.js'
import { sweptCurrencies } from '../../depositAddress/depositAddress.js'
import { delegationsOf } from '../delegations.js'
import { isComposed } from '../payoutForm.js'

/** Of a transaction that swaps, beside the gas that its offer names: payment, comparison of balances, perhaps a new account. */
export const SWAP_ROUTER_GAS = 130_000n
const ROUTER_GAS = 150_000n
const CALL_GAS = 100_000n
const TOPUP_GAS = 40_000n
/** Of one delegation, to an account that does not exist yet (EIP-7702). */
const DELEGATION_GAS = 25_000n

/** Of a signed deposit; a contract wallet takes more. */
export const PERMIT_GAS: Readonly<Record<PermitKind, bigint>> = {
  eip3009: 150_000n,
  eip2612: 205_000n,
  permit2: 160_000n,
}
/** Of a transaction with a signature of a key. */
export const PERMIT_BYTES = 520
/** Of a call for a user, of which only a simulation knows more. */
const USER_CALL_GAS = 300_000n

/** Of a sweep: most of it for the receiver, which is made and removed. */
const SWEEP_GAS = { base: 60_000n, native: 30_000n, token: 60_000n } as const
/** What comes while a sweep is under way must not stop it: gas that is set aside for more of what it takes, and is not used else. */
const SWEEP_ROOM = 60_000n

export const sweepGas = (currencies: readonly string[]): bigint =>
  currencies.reduce<bigint>(
    (sum, currency) => sum + (currency === ZERO_ADDRESS ? SWEEP_GAS.native : SWEEP_GAS.token),
    SWEEP_GAS.base,
  )

/** Typical gas of a payout, used until a simulation says better. */
export const typicalGas = (payout: Payout): bigint => coreGas(payout) + delegationGas(payout)

const delegationGas = (payout: Payout): bigint => DELEGATION_GAS * BigInt(delegationsOf(payout).length)

const coreGas = (payout: Payout): bigint => {
  if (payout.purpose === 'withdraw') return 120_000n
  if (payout.purpose === 'sweep') return sweepGas(sweptCurrencies(payout))
  if (payout.purpose === 'origin')
    return payout.permit === undefined ? USER_CALL_GAS : PERMIT_GAS[payout.permit.terms.kind]
  if (isComposed(payout)) return overhead(payout) + CALL_GAS * BigInt(payout.calls.length)
  return payout.money.currency === ZERO_ADDRESS ? 22_000n : 65_000n
}

/** Everything of a composed payment but its calls. */
const overhead = ({ swap, topup = 0n }: Payout): bigint =>
  (swap === undefined ? ROUTER_GAS : SWAP_ROUTER_GAS + swap.offer.gas) + (topup > 0n ? TOPUP_GAS : 0n)

/**
 * Most gas that a payment with calls may take where the caller set gas aside for them: that, and plenty for what is not the
 * calls themselves, their bytes among it. Null: the caller set nothing aside.
 */
export const reservedGas = (payout: Payout): bigint | null => {
  const { callsGasLimit, calls } = payout
  if (callsGasLimit === undefined || calls.length === 0) return null
  const plenty = overhead(payout) * 2n + delegationGas(payout)
  return callsGasLimit + plenty + BigInt(callBytes(payout)) * 40n
}

/** Gas limit of the transaction: a quarter above the simulated gas, or half above the typical one, within what was set aside. */
export const gasLimit = (payout: Payout, simulated: bigint | null): bigint => {
  const usual = simulated === null ? (typicalGas(payout) * 3n) / 2n : (simulated * 5n) / 4n
  const limit = payout.purpose === 'sweep' ? usual + SWEEP_ROOM * BigInt(sweptCurrencies(payout).length) : usual
  const most = reservedGas(payout)
  return most !== null && most < limit ? most : limit
}

/**
 * The same within what the payout may cost at `price` for one gas (faults.md F124). Null where that is less than the simulated
 * gas: the payment cannot be made within it.
 */
export const gasWithin = (payout: Payout, simulated: bigint | null, price: bigint): bigint | null => {
  const usual = gasLimit(payout, simulated)
  const { feeLimit } = payout
  if (feeLimit === undefined || usual * price <= feeLimit) return usual
  const most = feeLimit / price
  return most < (simulated ?? usual) ? null : most
}

const BASE_BYTES = 150

/** Bytes of a signed sweep of so many currencies, about. */
export const sweepBytes = (currencies: number): number => BASE_BYTES + 170 + 32 * currencies

/** Bytes of the signed transaction, about: for fees on data. */
export const transactionBytes = (payout: Payout): number => BASE_BYTES + formBytes(payout) + callBytes(payout)

const formBytes = (payout: Payout): number => {
  const { purpose, swap, money } = payout
  if (purpose === 'withdraw') return 700
  if (purpose === 'sweep') return sweepBytes(sweptCurrencies(payout).length) - BASE_BYTES
  const signed = 130 * delegationsOf(payout).length
  if (purpose === 'origin') return originBytes(payout) + signed
  if (swap !== undefined) return 1500 + 64 * swap.offer.hops + signed
  return (money.currency === ZERO_ADDRESS ? 32 : 100) + signed
}

const originBytes = ({ permit, call }: Payout): number => {
  if (permit !== undefined) return PERMIT_BYTES - BASE_BYTES + (permit.signature.length - 132) / 2
  return 320 + ((call?.data.length ?? 2) - 2) / 2
}

const callBytes = (payout: Payout): number =>
  payout.calls.reduce((sum, call) => sum + 200 + Math.ceil((call.data.length - 2) / 64) * 32, 0)
