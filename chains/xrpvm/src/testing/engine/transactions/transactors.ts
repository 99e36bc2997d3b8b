import { accountDelete } from './accountDelete.js'
import { accountSet, setRegularKey } from './accountSet.js'
import { checkCash, checkCreate } from './check.js'
import { depositPreauth } from './depositPreauth.js'
import { escrowCreate, escrowFinish } from './escrow.js'
import { payment } from './payment.js'
import { ticketCreate } from './ticketCreate.js'
import type { Transactor } from './transactor.js'
import { trustSet } from './trustSet.js'

/** The types of transactions that the local ledger knows. */
export const TRANSACTORS: Readonly<Record<string, Transactor>> = {
  Payment: payment,
  AccountSet: accountSet,
  SetRegularKey: setRegularKey,
  TrustSet: trustSet,
  TicketCreate: ticketCreate,
  AccountDelete: accountDelete,
  EscrowCreate: escrowCreate,
  EscrowFinish: escrowFinish,
  CheckCreate: checkCreate,
  CheckCash: checkCash,
  DepositPreauth: depositPreauth,
}
