import { refuse } from '../refusal.js'
import { accountIn, existing, isPreauthorized, moveDrops } from '../state/accounts.js'
import { ACCOUNT_FLAGS } from '../state/entries.js'
import { hasFlag } from '../transaction.js'
import type { Transactor } from './transactor.js'

/** An account must be so many ledgers old, counted by its sequence, so that none of its transactions can come again. */
const LEAST_AGE = 255
const GOES_ALONG = new Set(['AccountRoot', 'Ticket', 'DepositPreauth'])

/** Ends an account; the rest of its XRP goes to another one. */
export const accountDelete: Transactor = {
  check: ({ Account, Destination }) => {
    if (Account === Destination) refuse('temDST_IS_SRC')
  },
  apply: ({ tx, view, place }) => {
    const target = accountIn(view, tx.Destination ?? '') ?? refuse('tecNO_DST')
    if (hasFlag(target, ACCOUNT_FLAGS.requireDest) && tx.DestinationTag === undefined) refuse('tecDST_TAG_NEEDED')
    if (hasFlag(target, ACCOUNT_FLAGS.depositAuth) && !isPreauthorized(view, target.Account, tx.Account)) {
      refuse('tecNO_PERMISSION')
    }
    const own = [...view.ofOwner(tx.Account)]
    if (own.some(({ LedgerEntryType }) => !GOES_ALONG.has(LedgerEntryType))) refuse('tecHAS_OBLIGATIONS')
    const root = existing(view, tx.Account)
    if (root.Sequence + LEAST_AGE > place.ledger) refuse('tecTOO_SOON')
    moveDrops(view, target.Account, BigInt(root.Balance))
    for (const entry of own) if (entry.LedgerEntryType !== 'AccountRoot') view.erase(entry)
    view.erase({ ...root, Balance: '0', OwnerCount: 0 })
    return root.Balance
  },
}
