import type { UnsignedTx } from '../server/commands/controlCommands.js'
import { issuedOf } from './issuedUnits.js'

/** Numbers by which a transaction sets and clears flags of an account. */
const FLAGS = {
  requireTag: 1,
  requireAuth: 2,
  disableMaster: 4,
  globalFreeze: 7,
  defaultRipple: 8,
  depositAuth: 9,
} as const

/** Nobody has a key of it. */
const NOBODY = 'rrrrrrrrrrrrrrrrrrrrrhoLvTp'
const FREEZE = 0x100000
const THAW = 0x200000

/** What an account asks of those who pay it; what is left out stays as it is. */
export interface AccountSettings {
  /** Payments need a destination tag. */
  readonly requireTag?: boolean
  /** Nobody deposits without leave. */
  readonly depositAuth?: boolean
  /** What it issues goes between holders. */
  readonly defaultRipple?: boolean
  /** What it issues is held with its leave alone. */
  readonly requireAuth?: boolean
  /** In billionths: what senders give for a receiver to get 1 of what it issues; 0: nothing more. */
  readonly transferRate?: number
}

const accountSet = (Account: string, more: Partial<UnsignedTx>): UnsignedTx => ({
  TransactionType: 'AccountSet',
  Account,
  ...more,
})

const flag = (account: string, name: keyof typeof FLAGS, on: boolean): UnsignedTx =>
  accountSet(account, on ? { SetFlag: FLAGS[name] } : { ClearFlag: FLAGS[name] })

export const settingTransactions = (
  account: string,
  { transferRate, ...flags }: AccountSettings,
): readonly UnsignedTx[] => [
  ...(transferRate === undefined ? [] : [accountSet(account, { TransferRate: transferRate })]),
  ...Object.entries(flags).flatMap(([name, on]) =>
    // CAST: the names of settings are names of flags.
    on === undefined ? [] : [flag(account, name as keyof typeof flags, on)],
  ),
]

/** Null for the holder: the whole currency, which is everything that its issuer issues. */
export const freezeTransaction = (currency: string, holder: string | null, frozen: boolean): UnsignedTx => {
  const issued = issuedOf(currency)
  if (issued === null) throw new Error('XRP cannot be frozen')
  if (holder === null) return flag(issued.issuer, 'globalFreeze', frozen)
  const LimitAmount = { currency: issued.currency, issuer: holder, value: '0' }
  return { TransactionType: 'TrustSet', Account: issued.issuer, LimitAmount, Flags: frozen ? FREEZE : THAW }
}

export const blackholeTransactions = (account: string): readonly UnsignedTx[] => [
  { TransactionType: 'SetRegularKey', Account: account, RegularKey: NOBODY },
  flag(account, 'disableMaster', true),
]
