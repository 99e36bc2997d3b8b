import { reserveOf } from '../ledgerRules.js'
import { refuse } from '../refusal.js'
import { accountIn, countOwned } from '../state/accounts.js'
import { preauthIndex } from '../state/entryIndex.js'
import type { Transactor } from './transactor.js'

/** Lets an account deposit though its owner refuses others, or no more. */
export const depositPreauth: Transactor = {
  check: ({ Account, Authorize, Unauthorize }) => {
    if ((Authorize === undefined) === (Unauthorize === undefined)) refuse('temMALFORMED')
    if (Authorize === Account) refuse('temCANNOT_PREAUTH_SELF')
  },
  apply: ({ tx, view, place, sender }) => {
    const { Account, Authorize, Unauthorize } = tx
    if (Unauthorize !== undefined) {
      const found = view.get(preauthIndex(Account, Unauthorize)) ?? refuse('tecNO_ENTRY')
      view.erase(found)
      countOwned(view, Account, -1)
      return undefined
    }
    const authorized = Authorize ?? ''
    if (accountIn(view, authorized) === undefined) refuse('tecNO_TARGET')
    const index = preauthIndex(Account, authorized)
    if (view.get(index) !== undefined) refuse('tecDUPLICATE')
    if (BigInt(sender.Balance) < reserveOf(place.rules, sender.OwnerCount + 1)) refuse('tecINSUFFICIENT_RESERVE')
    view.put({ LedgerEntryType: 'DepositPreauth', index, Flags: 0, Account, Authorize: authorized })
    countOwned(view, Account, 1)
    return undefined
  },
}
