import { reserveOf } from '../ledgerRules.js'
import { refuse } from '../refusal.js'
import { changeAccount, existing } from '../state/accounts.js'
import { ticketIndex } from '../state/entryIndex.js'
import type { Transactor } from './transactor.js'

const MOST_TICKETS = 250

/** Sets numbers aside, to be used in any order. */
export const ticketCreate: Transactor = {
  check: ({ TicketCount = 0 }) => {
    if (TicketCount < 1 || TicketCount > MOST_TICKETS) refuse('temINVALID_COUNT')
  },
  apply: ({ tx, view, place, sender }) => {
    const { TicketCount = 0, Account } = tx
    const { Sequence, OwnerCount, TicketCount: held = 0 } = existing(view, Account)
    if (held + TicketCount > MOST_TICKETS) refuse('tecDIR_FULL')
    if (BigInt(sender.Balance) < reserveOf(place.rules, OwnerCount + TicketCount)) refuse('tecINSUFFICIENT_RESERVE')
    for (let number = Sequence; number < Sequence + TicketCount; number++) {
      const index = ticketIndex(Account, number)
      view.put({ LedgerEntryType: 'Ticket', index, Account, Flags: 0, TicketSequence: number })
    }
    changeAccount(view, Account, {
      Sequence: Sequence + TicketCount,
      OwnerCount: OwnerCount + TicketCount,
      TicketCount: held + TicketCount,
    })
    return undefined
  },
}
