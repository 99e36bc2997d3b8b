import { reserveOf } from '../ledgerRules.js'
import { refuse } from '../refusal.js'
import { accountIn, countOwned, existing, moveDrops } from '../state/accounts.js'
import { ACCOUNT_FLAGS } from '../state/entries.js'
import { checkIndex } from '../state/entryIndex.js'
import { hasFlag, sequenceOf } from '../transaction.js'
import type { Transactor } from './transactor.js'

/** Lets somebody take XRP later. */
export const checkCreate: Transactor = {
  check: ({ Account, Destination, SendMax }) => {
    if (Account === Destination) refuse('temREDUNDANT')
    if (typeof SendMax !== 'string' || BigInt(SendMax) <= 0n) refuse('temBAD_AMOUNT')
  },
  apply: ({ tx, view, place, sender }) => {
    const { Account, Destination = '', SendMax } = tx
    const target = accountIn(view, Destination) ?? refuse('tecNO_DST')
    if (hasFlag(target, ACCOUNT_FLAGS.disallowIncomingCheck)) refuse('tecNO_PERMISSION')
    if (hasFlag(target, ACCOUNT_FLAGS.requireDest) && tx.DestinationTag === undefined) refuse('tecDST_TAG_NEEDED')
    if (BigInt(sender.Balance) < reserveOf(place.rules, sender.OwnerCount + 1)) refuse('tecINSUFFICIENT_RESERVE')
    const Sequence = sequenceOf(tx)
    view.put({
      ...{ LedgerEntryType: 'Check', index: checkIndex(Account, Sequence), Flags: 0, Sequence },
      ...{ Account, Destination, SendMax: String(SendMax) },
    })
    countOwned(view, Account, 1)
    return undefined
  },
}

/** Takes what a check allows, without a payment. */
export const checkCash: Transactor = {
  check: ({ Amount, DeliverMin }) => {
    if ((Amount === undefined) === (DeliverMin === undefined)) refuse('temMALFORMED')
    if (typeof (Amount ?? DeliverMin) !== 'string') refuse('temBAD_AMOUNT')
  },
  apply: ({ tx, view, place }) => {
    const check = view.get(tx.CheckID ?? '')
    if (check?.LedgerEntryType !== 'Check') return refuse('tecNO_ENTRY')
    if (check.Destination !== tx.Account) refuse('tecNO_PERMISSION')
    const writer = existing(view, check.Account)
    // The check's own reserve may go into it.
    const has = BigInt(writer.Balance) - reserveOf(place.rules, writer.OwnerCount - 1)
    const asked = BigInt(String(tx.Amount ?? tx.DeliverMin))
    if (asked > BigInt(check.SendMax)) refuse('tecPATH_PARTIAL')
    if (asked > has) refuse('tecPATH_PARTIAL')
    const most = has < BigInt(check.SendMax) ? has : BigInt(check.SendMax)
    const drops = tx.Amount === undefined ? most : asked
    moveDrops(view, check.Account, -drops)
    moveDrops(view, tx.Account, drops)
    countOwned(view, check.Account, -1)
    view.erase(check)
    return String(drops)
  },
}
