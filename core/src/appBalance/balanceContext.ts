import type { HolderAccount } from '../ledger/ledger.js'

/** Why a balance moved, in the words of wire.md 4.12. */
export const BALANCE_CONTEXTS = [
  'set-pending-amount',
  'unset-pending-amount',
  'reset-pending-amount',
  'pay-fees',
  'claim',
  'fast-fill-reduce-balance',
  'fast-fill-increase-balance',
  'balance-topup',
  'execute-transaction-request',
  'fixed-rate-accounting',
  'integrator-fixed-bps-accounting',
] as const
export type BalanceContext = (typeof BALANCE_CONTEXTS)[number]

/** By how much one posting changes a wallet's accounts, smallest unit: above 0 more is in them. */
export type AccountChanges = Readonly<Record<HolderAccount, bigint>>

/** What a posting says beside its entries. */
export interface MovedBy {
  readonly event: string
  /** What the wallet earns by the payout that it is of, by kind. */
  readonly earned: readonly ('app' | 'integrator' | 'rate')[]
  /** Of the payout's sponsor, in the balance currency. */
  readonly sponsored: { readonly amount: bigint; readonly rateCost: bigint } | null
}

/**
 * What of a change is one of the balance itself: what is owed and not spent. What is set aside for a decided fill is still in it, what
 * covers a fast fill or is on its way to its owner is not, nor what a fill earned that is not settled.
 */
export const balanceChange = ({ app, sponsored }: AccountChanges): bigint => app + sponsored

/** The context of a posting, from the accounts between which it moved money. */
export const contextOf = (changes: AccountChanges, by: MovedBy): BalanceContext => {
  const { app, earned, sponsored, collateral, claimed, exposure } = changes
  if (sponsored !== 0n) return balanceChange(changes) === 0n ? pendingContext(sponsored, by) : paidContext(by)
  if (claimed !== 0n) return 'claim'
  if (collateral !== 0n || exposure !== 0n) return app > 0n ? 'fast-fill-increase-balance' : 'fast-fill-reduce-balance'
  return earned === 0n ? 'balance-topup' : earnedContext(by)
}

/** A fill that was given up is decided anew where its deposit comes back; its first decision has the number 0. */
const pendingContext = (sponsored: bigint, { event }: MovedBy): BalanceContext => {
  if (sponsored < 0n) return 'unset-pending-amount'
  return event === 'sponsored:0' ? 'set-pending-amount' : 'reset-pending-amount'
}

/** A sponsor that pays for nothing but a fixed rate pays no fees (wire.md D.8). */
const paidContext = ({ sponsored }: MovedBy): BalanceContext =>
  sponsored !== null && sponsored.amount === sponsored.rateCost ? 'fixed-rate-accounting' : 'pay-fees'

const earnedContext = ({ earned }: MovedBy): BalanceContext => {
  const [kind, ...others] = new Set(earned)
  if (others.length === 0 && kind === 'rate') return 'fixed-rate-accounting'
  if (others.length === 0 && kind === 'integrator') return 'integrator-fixed-bps-accounting'
  return 'execute-transaction-request'
}
