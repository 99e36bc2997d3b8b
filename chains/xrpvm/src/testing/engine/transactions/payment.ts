import { type Amount, isIssued, sameCurrency } from '../amounts/amount.js'
import { compareValues, isPositive, parseValue } from '../amounts/issuedValue.js'
import { reserveOf } from '../ledgerRules.js'
import { refuse } from '../refusal.js'
import { accountIn, isPreauthorized, moveDrops, newAccount } from '../state/accounts.js'
import { ACCOUNT_FLAGS } from '../state/entries.js'
import { hasFlag, PARTIAL_PAYMENT, type Tx } from '../transaction.js'
import { payIssued } from './issuedPayment.js'
import type { ApplyContext, Transactor } from './transactor.js'

const NOBODY = 'rrrrrrrrrrrrrrrrrrrrrhoLvTp'
const KNOWN_FLAGS = 0x80000000 | 0x10000 | PARTIAL_PAYMENT | 0x40000

/** A payment of XRP, or of an issued currency over its issuer. There are no offers, so currencies are never exchanged. */
export const payment: Transactor = {
  check: (tx) => {
    const { Amount: amount, Destination, SendMax, DeliverMin } = tx
    if (amount === undefined || Destination === undefined) return refuse('temMALFORMED')
    if (((tx.Flags ?? 0) & ~KNOWN_FLAGS) !== 0) refuse('temINVALID_FLAG')
    if (Destination === NOBODY) refuse('temDST_NEEDED')
    for (const one of [SendMax, amount]) if (one !== undefined && !isMoney(one)) refuse('temBAD_AMOUNT')
    if ([amount, SendMax].some((one) => isIssued(one) && one.currency === 'XRP')) refuse('temBAD_CURRENCY')
    if (tx.Account === Destination && sameCurrency(SendMax ?? amount, amount) && tx.Paths === undefined) {
      refuse('temREDUNDANT')
    }
    if (!isIssued(amount) && !isIssued(SendMax)) checkDirect(tx)
    if (DeliverMin !== undefined) checkLeast(tx, amount, DeliverMin)
  },
  apply: (context) => {
    const { tx, view, place } = context
    const { Amount: amount = '0', Destination = '' } = tx
    const target = accountIn(view, Destination)
    if (target === undefined) {
      if (isIssued(amount)) refuse('tecNO_DST')
      if (hasFlag(tx, PARTIAL_PAYMENT)) refuse('telNO_DST_PARTIAL')
      if (BigInt(String(amount)) < place.rules.reserveBase) refuse('tecNO_DST_INSUF_XRP')
    }
    if (target !== undefined && hasFlag(target, ACCOUNT_FLAGS.requireDest) && tx.DestinationTag === undefined) {
      refuse('tecDST_TAG_NEEDED')
    }
    return isIssued(amount) ? payIssued(context, amount) : payDrops(context, amount)
  },
}

const isMoney = (amount: Amount): boolean =>
  isIssued(amount) ? isPositive(parseValue(amount.value)) : BigInt(amount) > 0n

const checkDirect = (tx: Tx): void => {
  if (tx.SendMax !== undefined) refuse('temBAD_SEND_XRP_MAX')
  if (tx.Paths !== undefined) refuse('temBAD_SEND_XRP_PATHS')
  if (hasFlag(tx, PARTIAL_PAYMENT)) refuse('temBAD_SEND_XRP_PARTIAL')
  if (hasFlag(tx, 0x40000)) refuse('temBAD_SEND_XRP_LIMIT')
  if (hasFlag(tx, 0x10000)) refuse('temBAD_SEND_XRP_NO_DIRECT')
}

const checkLeast = (tx: Tx, amount: Amount, least: Amount): void => {
  const fits = hasFlag(tx, PARTIAL_PAYMENT) && isMoney(least) && sameCurrency(least, amount)
  if (!fits) refuse('temBAD_AMOUNT')
  if (isIssued(least) && isIssued(amount) && compareValues(parseValue(least.value), parseValue(amount.value)) > 0) {
    refuse('temBAD_AMOUNT')
  }
}

const payDrops = (context: ApplyContext, amount: string): Amount => {
  const { tx, view, place, sender } = context
  if (tx.SendMax !== undefined) return refuse('tecPATH_DRY')
  const [drops, fee] = [BigInt(amount), BigInt(tx.Fee)]
  const reserve = reserveOf(place.rules, sender.OwnerCount)
  if (BigInt(sender.Balance) < drops + (reserve > fee ? reserve : fee)) refuse('tecUNFUNDED_PAYMENT')
  mayDeposit(context, drops)
  giveDrops(context, tx.Destination ?? '', drops)
  moveDrops(view, tx.Account, -drops)
  return amount
}

/** Of whoever wants to be asked, an account that is all but empty can still be given its reserve. */
const mayDeposit = ({ tx, view, place }: ApplyContext, drops: bigint): void => {
  const target = accountIn(view, tx.Destination ?? '')
  if (target === undefined || !hasFlag(target, ACCOUNT_FLAGS.depositAuth)) return
  if (isPreauthorized(view, target.Account, tx.Account)) return
  const { reserveBase } = place.rules
  if (drops > reserveBase || BigInt(target.Balance) > reserveBase) refuse('tecNO_PERMISSION')
}

/** Adds drops to an account, and makes it where there is none. */
export const giveDrops = ({ view, place }: ApplyContext, account: string, drops: bigint): void => {
  if (accountIn(view, account) === undefined) view.put(newAccount(account, drops, place.ledger))
  else moveDrops(view, account, drops)
}
