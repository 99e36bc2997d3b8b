import { isPositive, isZero, parseValue } from '../amounts/issuedValue.js'
import { reserveOf } from '../ledgerRules.js'
import { refuse } from '../refusal.js'
import { accountIn, existing } from '../state/accounts.js'
import { ACCOUNT_FLAGS, type RippleState } from '../state/entries.js'
import {
  balanceOn,
  hasLineFlag,
  keepsReserve,
  type LineFlag,
  lineBetween,
  newLine,
  putLine,
  withLimit,
  withLineFlag,
} from '../state/trustLines.js'
import { hasFlag, type Tx } from '../transaction.js'
import type { ApplyContext, Transactor } from './transactor.js'

const FLAGS = { auth: 0x10000, setNoRipple: 0x20000, clearNoRipple: 0x40000, freeze: 0x100000, thaw: 0x200000 } as const
/** So many objects an account may own without a reserve for the line. */
const FREE_LINES = 2

/** Opens a line, or changes what its sender says of it: limit, rippling, freeze, authorisation. */
export const trustSet: Transactor = {
  check: (tx) => {
    const { LimitAmount, Account } = tx
    if (LimitAmount === undefined || typeof LimitAmount === 'string') return refuse('temBAD_LIMIT')
    if (LimitAmount.currency === 'XRP') refuse('temBAD_CURRENCY')
    const limit = parseValue(LimitAmount.value)
    if (!isZero(limit) && !isPositive(limit)) refuse('temBAD_LIMIT')
    if (LimitAmount.issuer === Account) refuse('temDST_IS_SRC')
    if (hasFlag(tx, FLAGS.setNoRipple) && hasFlag(tx, FLAGS.clearNoRipple)) refuse('temINVALID_FLAG')
    if (hasFlag(tx, FLAGS.freeze) && hasFlag(tx, FLAGS.thaw)) refuse('temINVALID_FLAG')
  },
  apply: (context) => {
    const { tx, view } = context
    const { currency = '', issuer = '', value = '0' } = tx.LimitAmount ?? {}
    const peer = accountIn(view, issuer) ?? refuse('tecNO_DST')
    if (hasFlag(tx, FLAGS.auth) && !hasFlag(existing(view, tx.Account), ACCOUNT_FLAGS.requireAuth)) {
      refuse('tefNO_AUTH_REQUIRED')
    }
    const found = lineBetween(view, tx.Account, issuer, currency)
    if (found === undefined && hasFlag(peer, ACCOUNT_FLAGS.disallowIncomingTrustline)) refuse('tecNO_PERMISSION')
    const ripples = hasFlag(peer, ACCOUNT_FLAGS.defaultRipple)
    const limit = parseValue(value)
    if (found === undefined && isZero(limit) && !hasFlag(tx, FLAGS.auth)) refuse('tecNO_LINE_REDUNDANT')
    const line = found ?? withLineFlag(newLine(tx.Account, issuer, currency), issuer, 'noRipple', !ripples)
    const changed = withFlags(withLimit(line, tx.Account, limit), tx)
    checkReserve(context, changed, found)
    putLine(view, changed)
    return undefined
  },
}

const withFlags = (line: RippleState, tx: Tx): RippleState => {
  const set = (of: RippleState, flag: LineFlag, on: number, off: number): RippleState => {
    if (!hasFlag(tx, on) && !hasFlag(tx, off)) return of
    return withLineFlag(of, tx.Account, flag, hasFlag(tx, on))
  }
  const isOwing = !isZero(balanceOn(line, tx.Account)) && !isPositive(balanceOn(line, tx.Account))
  if (hasFlag(tx, FLAGS.setNoRipple) && isOwing) refuse('tecNO_PERMISSION')
  const rippled = set(line, 'noRipple', FLAGS.setNoRipple, FLAGS.clearNoRipple)
  const frozen = set(rippled, 'freeze', FLAGS.freeze, FLAGS.thaw)
  return set(frozen, 'auth', FLAGS.auth, 0)
}

const checkReserve = ({ tx, view, place, sender }: ApplyContext, line: RippleState, found: RippleState | undefined) => {
  const keeps = keepsReserve(view, line, tx.Account)
  const isNew = keeps && (found === undefined || !hasLineFlag(found, tx.Account, 'reserve'))
  if (!isNew || sender.OwnerCount < FREE_LINES) return
  if (BigInt(sender.Balance) >= reserveOf(place.rules, sender.OwnerCount + 1)) return
  refuse(found === undefined ? 'tecNO_LINE_INSUF_RESERVE' : 'tecINSUF_RESERVE_LINE')
}
