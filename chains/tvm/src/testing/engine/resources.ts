import { type SignedTransaction, sizeOf } from '../wire/transactions.js'
import type { Parameters } from './parameters.js'
import { need } from './refusal.js'
import { type AccountEntry, accountIn, addBalance, type Usage, type View } from './state.js'

/** Time of a block, and prices of resources in it. */
export interface Moment {
  /** Unix seconds. */
  readonly time: number
  readonly height: number
  readonly parameters: Parameters
  /** Energy of a contract's calls that is added to what they use, in units of 1/10000. */
  readonly energyFactorOf: (contract: string) => number
}

/** Bandwidth and fees that a transaction pays before it is executed. */
export interface Charged {
  readonly netUsage: number
  readonly netFee: bigint
  /** Fees for a memo and for an activated account. */
  readonly otherFees: bigint
}

const DAY = 86_400
/** Bytes of a result, which every transaction pays. */
const RESULT_BYTES = 64

/** Part that is still used, after the recovery since. */
export const usedAt = ({ used, at }: Usage, time: number): number =>
  time >= at + DAY ? 0 : Math.floor((used * (at + DAY - time)) / DAY)

/** Part of a resource that an account has left. */
export const leftOf = (limit: number, usage: Usage, time: number): number => Math.max(0, limit - usedAt(usage, time))

const burn = (view: View, account: AccountEntry, fee: bigint): void => {
  need(account.balance >= fee, 'BANDWITH_ERROR', 'Account resource insufficient error.')
  addBalance(view, account.address, -fee)
}

/** Takes bandwidth: staked first, then free, then TRX. An activation has its own prices and no free bandwidth. @throws Refusal */
const chargeBytes = (view: View, payer: AccountEntry, size: number, moment: Moment, activates: boolean): Charged => {
  const { time, parameters } = moment
  const bytes = activates ? size * parameters.getCreateNewAccountBandwidthRate : size
  const otherFees = activates ? BigInt(parameters.getCreateNewAccountFeeInSystemContract) : 0n
  const takes = (kind: 'net' | 'freeNet', limit: number): boolean => {
    if (leftOf(limit, payer[kind], time) < bytes) return false
    view.put({ ...payer, [kind]: { used: usedAt(payer[kind], time) + bytes, at: time } })
    return true
  }
  if (takes('net', payer.staked.net) || (!activates && takes('freeNet', parameters.getFreeNetLimit)))
    return { netUsage: bytes, netFee: 0n, otherFees }
  const netFee = BigInt(activates ? parameters.getCreateAccountFee : bytes * parameters.getTransactionFee)
  burn(view, payer, netFee)
  return { netUsage: 0, netFee, otherFees }
}

/** Takes bandwidth and the fee for a memo. The fee for an activated account is returned, and taken with the amount. */
export const chargeBandwidth = (
  view: View,
  tx: SignedTransaction,
  payer: AccountEntry,
  moment: Moment,
  activates: boolean,
): Charged => {
  const charged = chargeBytes(view, payer, sizeOf(tx) + RESULT_BYTES, moment, activates)
  if (tx.raw.data === '') return charged
  const memoFee = BigInt(moment.parameters.getMemoFee)
  const left = accountIn(view, payer.address)
  burn(view, left ?? payer, memoFee)
  return { ...charged, otherFees: charged.otherFees + memoFee }
}

/** Energy that a caller can pay: staked, then TRX, up to the fee limit of the transaction. */
export const energyLimitOf = (payer: AccountEntry, callValue: bigint, feeLimit: number, moment: Moment): number => {
  const price = moment.parameters.getEnergyFee
  const staked = leftOf(payer.staked.energy, payer.energy, moment.time)
  const bought = Number((payer.balance - callValue) / BigInt(price))
  return Math.max(0, Math.min(staked + bought, Math.floor(feeLimit / price)))
}

export interface EnergyPaid {
  /** From staked TRX of the caller. */
  readonly usage: number
  readonly originUsage: number
  readonly fee: bigint
}

/** Takes energy: the share of the contract's owner if it has staked TRX, then staked energy of the caller, then TRX. */
export const payEnergy = (
  view: View,
  caller: string,
  total: number,
  moment: Moment,
  origin: { readonly address: string; readonly callerPercent: number; readonly limit: number } | null,
): EnergyPaid => {
  const take = (address: string, most: number): number => {
    const account = accountIn(view, address)
    if (account === null || most <= 0) return 0
    const taken = Math.min(most, leftOf(account.staked.energy, account.energy, moment.time))
    if (taken > 0)
      view.put({ ...account, energy: { used: usedAt(account.energy, moment.time) + taken, at: moment.time } })
    return taken
  }
  const share = origin === null ? 0 : Math.floor((total * (100 - origin.callerPercent)) / 100)
  const originUsage = origin === null ? 0 : take(origin.address, Math.min(share, origin.limit))
  const usage = take(caller, total - originUsage)
  const fee = BigInt(total - originUsage - usage) * BigInt(moment.parameters.getEnergyFee)
  addBalance(view, caller, -fee)
  return { usage, originUsage, fee }
}
