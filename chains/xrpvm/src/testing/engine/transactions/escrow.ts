import { reserveOf } from '../ledgerRules.js'
import { refuse } from '../refusal.js'
import { accountIn, countOwned, isPreauthorized, moveDrops } from '../state/accounts.js'
import { ACCOUNT_FLAGS } from '../state/entries.js'
import { escrowIndex } from '../state/entryIndex.js'
import { hasFlag, sequenceOf } from '../transaction.js'
import type { Transactor } from './transactor.js'

/** Sets XRP aside for somebody, until a time. Conditions are not known. */
export const escrowCreate: Transactor = {
  check: ({ Amount, FinishAfter }) => {
    if (typeof Amount !== 'string' || BigInt(Amount) <= 0n) refuse('temBAD_AMOUNT')
    if (FinishAfter === undefined) refuse('temMALFORMED')
  },
  apply: ({ tx, view, place, sender }) => {
    const { Account, Amount, Destination = '', FinishAfter } = tx
    const drops = String(Amount)
    if (BigInt(sender.Balance) < reserveOf(place.rules, sender.OwnerCount + 1)) refuse('tecINSUFFICIENT_RESERVE')
    if (BigInt(sender.Balance) < reserveOf(place.rules, sender.OwnerCount + 1) + BigInt(drops)) refuse('tecUNFUNDED')
    if (accountIn(view, Destination) === undefined) refuse('tecNO_DST')
    view.put({
      ...{ LedgerEntryType: 'Escrow', index: escrowIndex(Account, sequenceOf(tx)), Flags: 0 },
      ...{ Account, Destination, Amount: drops },
      ...(FinishAfter === undefined ? {} : { FinishAfter }),
    })
    countOwned(view, Account, 1)
    moveDrops(view, Account, -BigInt(drops))
    return undefined
  },
}

/** Delivers what was set aside, without a payment. */
export const escrowFinish: Transactor = {
  apply: ({ tx, view, place }) => {
    const escrow = view.get(escrowIndex(tx.Owner ?? '', tx.OfferSequence ?? 0))
    if (escrow?.LedgerEntryType !== 'Escrow') return refuse('tecNO_TARGET')
    if ((escrow.FinishAfter ?? 0) >= place.parentCloseTime) refuse('tecNO_PERMISSION')
    const target = accountIn(view, escrow.Destination) ?? refuse('tecNO_DST')
    const mayAsk = hasFlag(target, ACCOUNT_FLAGS.depositAuth) && tx.Account !== target.Account
    if (mayAsk && !isPreauthorized(view, target.Account, tx.Account)) refuse('tecNO_PERMISSION')
    moveDrops(view, target.Account, BigInt(escrow.Amount))
    countOwned(view, escrow.Account, -1)
    view.erase(escrow)
    return undefined
  },
}
