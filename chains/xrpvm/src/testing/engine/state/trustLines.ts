import { formatValue, type IssuedValue, isPositive, isZero, negate, parseValue } from '../amounts/issuedValue.js'
import { countOwned, existing } from './accounts.js'
import { ACCOUNT_FLAGS, type RippleState } from './entries.js'
import { isLower, lineIndex } from './entryIndex.js'
import type { StateReader, View } from './view.js'

/** Stands for nobody, as the issuer of a line's balance. */
const NOBODY = 'rrrrrrrrrrrrrrrrrrrrBZbvji'

/** Flags of a line, each of one of its sides. */
const LINE_FLAGS = {
  reserve: { low: 0x10000, high: 0x20000 },
  auth: { low: 0x40000, high: 0x80000 },
  noRipple: { low: 0x100000, high: 0x200000 },
  freeze: { low: 0x400000, high: 0x800000 },
} as const

export type LineFlag = keyof typeof LINE_FLAGS

const isLow = (line: RippleState, account: string): boolean => line.LowLimit.issuer === account

const bitOf = (line: RippleState, account: string, flag: LineFlag): number =>
  LINE_FLAGS[flag][isLow(line, account) ? 'low' : 'high']

export const lineBetween = (
  state: StateReader,
  account: string,
  peer: string,
  currency: string,
): RippleState | undefined => {
  const entry = state.get(lineIndex(account, peer, currency))
  return entry?.LedgerEntryType === 'RippleState' ? entry : undefined
}

/** A line between two accounts that holds nothing and trusts nobody; it stands in no ledger yet. */
export const newLine = (account: string, peer: string, currency: string): RippleState => {
  const [low, high] = isLower(account, peer) ? [account, peer] : [peer, account]
  return {
    LedgerEntryType: 'RippleState',
    index: lineIndex(account, peer, currency),
    Balance: { currency, issuer: NOBODY, value: '0' },
    Flags: 0,
    LowLimit: { currency, issuer: low, value: '0' },
    HighLimit: { currency, issuer: high, value: '0' },
  }
}

export const peerOf = (line: RippleState, account: string): string =>
  isLow(line, account) ? line.HighLimit.issuer : line.LowLimit.issuer

/** What the account holds of the peer's; negative: what it owes. */
export const balanceOn = (line: RippleState, account: string): IssuedValue => {
  const value = parseValue(line.Balance.value)
  return isLow(line, account) ? value : negate(value)
}

/** How much the account is willing to hold. */
export const limitOn = (line: RippleState, account: string): IssuedValue =>
  parseValue((isLow(line, account) ? line.LowLimit : line.HighLimit).value)

export const hasLineFlag = (line: RippleState, account: string, flag: LineFlag): boolean =>
  (line.Flags & bitOf(line, account, flag)) !== 0

export const withLineFlag = (line: RippleState, account: string, flag: LineFlag, on: boolean): RippleState => {
  const bit = bitOf(line, account, flag)
  return { ...line, Flags: (on ? line.Flags | bit : line.Flags & ~bit) >>> 0 }
}

export const withBalance = (line: RippleState, account: string, held: IssuedValue): RippleState => ({
  ...line,
  Balance: { ...line.Balance, value: formatValue(isLow(line, account) ? held : negate(held)) },
})

export const withLimit = (line: RippleState, account: string, limit: IssuedValue): RippleState => {
  const side = isLow(line, account) ? 'LowLimit' : 'HighLimit'
  return { ...line, [side]: { ...line[side], value: formatValue(limit) } }
}

/** Whether an account keeps a reserve for its side: it holds, trusts, or wants something else than its default. */
export const keepsReserve = (view: View, line: RippleState, account: string): boolean => {
  const ripplesByDefault = (existing(view, account).Flags & ACCOUNT_FLAGS.defaultRipple) !== 0
  return (
    isPositive(balanceOn(line, account)) ||
    isPositive(limitOn(line, account)) ||
    hasLineFlag(line, account, 'freeze') ||
    hasLineFlag(line, account, 'noRipple') === ripplesByDefault
  )
}

/** Writes a line with the reserves that both sides keep for it, or deletes it when neither does. */
export const putLine = (view: View, changed: RippleState): void => {
  let line = changed
  for (const account of [line.LowLimit.issuer, line.HighLimit.issuer]) {
    const [kept, keeps] = [hasLineFlag(line, account, 'reserve'), keepsReserve(view, line, account)]
    if (kept !== keeps) countOwned(view, account, keeps ? 1 : -1)
    line = withLineFlag(line, account, 'reserve', keeps)
  }
  const isUsed = [line.LowLimit.issuer, line.HighLimit.issuer].some((one) => hasLineFlag(line, one, 'reserve'))
  if (isUsed || !isZero(parseValue(line.Balance.value))) view.put(line)
  else view.erase(line)
}
