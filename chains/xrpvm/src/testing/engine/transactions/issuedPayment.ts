import { type Amount, type IssuedAmount, isIssued, sameCurrency } from '../amounts/amount.js'
import {
  addValues,
  compareValues,
  formatValue,
  type IssuedValue,
  isPositive,
  leastValue,
  parseValue,
  RATE_ONE,
  subtractValues,
  withoutRate,
  withRate,
} from '../amounts/issuedValue.js'
import { refuse } from '../refusal.js'
import { accountIn, existing, isPreauthorized } from '../state/accounts.js'
import { ACCOUNT_FLAGS, type RippleState } from '../state/entries.js'
import { balanceOn, hasLineFlag, limitOn, lineBetween, putLine, withBalance } from '../state/trustLines.js'
import { hasFlag, PARTIAL_PAYMENT } from '../transaction.js'
import type { ApplyContext } from './transactor.js'

/** One way over the issuer: the lines it uses, and what it can carry. */
interface Way {
  readonly from: RippleState | null
  readonly to: RippleState | null
  /** Most that the sender can give. */
  readonly available: IssuedValue
  /** Most that the receiver takes; null: anything. */
  readonly room: IssuedValue | null
  readonly rate: bigint
}

/** Pays a currency from its issuer, to it, or between two holders, of which the issuer takes its rate. @throws Refusal */
export const payIssued = (context: ApplyContext, amount: IssuedAmount): Amount => {
  const { tx, view } = context
  const target = existing(view, tx.Destination ?? '')
  const mayAsk = hasFlag(target, ACCOUNT_FLAGS.depositAuth)
  if (mayAsk && !isPreauthorized(view, target.Account, tx.Account)) refuse('tecNO_PERMISSION')
  if (tx.SendMax !== undefined && !isSpendable(tx.SendMax, amount, tx.Account)) refuse('tecPATH_DRY')
  const way = wayOf(context, amount)
  const wanted = parseValue(amount.value)
  const most = isIssued(tx.SendMax) ? parseValue(tx.SendMax.value) : wanted
  const given = leastValue(way.available, most)
  if (!isPositive(given) || (way.room !== null && !isPositive(way.room))) refuse('tecPATH_DRY')
  const delivered = leastValue(wanted, withoutRate(given, way.rate), way.room ?? wanted)
  const sent = leastValue(withRate(delivered, way.rate), given)
  checkDelivered(context, wanted, delivered)
  move(context, way, { sent, delivered })
  return { ...amount, value: formatValue(delivered) }
}

/** What may be spent is of the same issuer, or the sender's own name stands for every issuer. */
const isSpendable = (most: Amount, amount: IssuedAmount, sender: string): boolean =>
  sameCurrency(most, amount) || (isIssued(most) && most.currency === amount.currency && most.issuer === sender)

const checkDelivered = ({ tx }: ApplyContext, wanted: IssuedValue, delivered: IssuedValue): void => {
  if (!isPositive(delivered)) refuse('tecPATH_DRY')
  if (compareValues(delivered, wanted) >= 0) return
  if (!hasFlag(tx, PARTIAL_PAYMENT)) refuse('tecPATH_PARTIAL')
  const { DeliverMin } = tx
  if (isIssued(DeliverMin) && compareValues(delivered, parseValue(DeliverMin.value)) < 0) refuse('tecPATH_PARTIAL')
}

const wayOf = ({ tx, view }: ApplyContext, { currency, issuer }: IssuedAmount): Way => {
  const target = tx.Destination ?? ''
  const root = accountIn(view, issuer)
  if (root === undefined) return refuse('tecPATH_DRY')
  const lineOf = (account: string) =>
    account === issuer ? null : (lineBetween(view, account, issuer, currency) ?? refuse('tecPATH_DRY'))
  const [from, to] = [lineOf(tx.Account), lineOf(target)]
  if (from !== null && to !== null) {
    const isFrozen = hasFlag(root, ACCOUNT_FLAGS.globalFreeze) || hasLineFlag(from, issuer, 'freeze')
    const isApart = [from, to].every((line) => hasLineFlag(line, issuer, 'noRipple'))
    if (isFrozen || isApart) refuse('tecPATH_DRY')
  }
  if (hasFlag(root, ACCOUNT_FLAGS.requireAuth)) {
    for (const line of [from, to]) if (line !== null && !hasLineFlag(line, issuer, 'auth')) refuse('tecPATH_DRY')
  }
  return {
    ...{ from, to, rate: from === null || to === null ? RATE_ONE : BigInt(root.TransferRate ?? 1_000_000_000) },
    available:
      from === null
        ? { mantissa: 10n ** 15n, exponent: 80 }
        : addValues(balanceOn(from, tx.Account), limitOn(from, issuer)),
    room: to === null ? null : subtractValues(limitOn(to, target), balanceOn(to, target)),
  }
}

const move = (
  { tx, view }: ApplyContext,
  { from, to }: Way,
  { sent, delivered }: Record<'sent' | 'delivered', IssuedValue>,
) => {
  const target = tx.Destination ?? ''
  if (from !== null) putLine(view, withBalance(from, tx.Account, subtractValues(balanceOn(from, tx.Account), sent)))
  if (to !== null) putLine(view, withBalance(to, target, addValues(balanceOn(to, target), delivered)))
}
