import { deriveAddress } from 'ripple-keypairs'
import type { Amount } from './amounts/amount.js'
import { leastFee, type Place } from './ledgerRules.js'
import { isIncluded, Refusal, refuse } from './refusal.js'
import { accountIn, changeAccount, existing, moveDrops } from './state/accounts.js'
import { ACCOUNT_FLAGS, type AccountRoot } from './state/entries.js'
import { ticketIndex } from './state/entryIndex.js'
import { type Change, type StateReader, type View, viewOf } from './state/view.js'
import { hasFlag, type Tx } from './transaction.js'
import { TRANSACTORS } from './transactions/transactors.js'

const MOST_UNRESTRICTED_NETWORK = 1024

/** What a transaction does. */
export interface Outcome {
  readonly code: string
  /** None where it is in no ledger. */
  readonly changes: readonly Change[]
  readonly delivered: Amount | undefined
}

export interface ApplyOptions {
  /** As its account wants it, though nobody signed it and the fee may be nothing: for whoever controls the ledger. */
  readonly trusted?: boolean
}

/** Applies a transaction to what is in a ledger, which stays as it is. A `tec` costs the fee and the number, and nothing else is left of it. */
export const applyTransaction = (state: StateReader, tx: Tx, place: Place, options: ApplyOptions = {}): Outcome => {
  try {
    checkForm(tx, place)
    const sender = accountIn(state, tx.Account) ?? refuse('terNO_ACCOUNT')
    checkNumber(state, sender, tx)
    if (tx.LastLedgerSequence !== undefined && tx.LastLedgerSequence < place.ledger) refuse('tefMAX_LEDGER')
    if (options.trusted !== true) checkFee(sender, tx, place)
    const byMaster = checkKey(sender, tx)
    return run(state, { tx, sender, byMaster, place })
  } catch (error) {
    if (error instanceof Refusal) return { code: error.code, changes: [], delivered: undefined }
    throw error
  }
}

const checkForm = (tx: Tx, { rules }: Place): void => {
  if (rules.networkId > MOST_UNRESTRICTED_NETWORK) {
    if (tx.NetworkID === undefined) refuse('telREQUIRES_NETWORK_ID')
    if (tx.NetworkID !== rules.networkId) refuse('telWRONG_NETWORK')
  } else if (tx.NetworkID !== undefined) refuse('telNETWORK_ID_MAKES_TX_NON_CANONICAL')
  const transactor = TRANSACTORS[tx.TransactionType] ?? refuse('temUNKNOWN')
  if (tx.TicketSequence !== undefined && tx.Sequence !== 0) refuse('temSEQ_AND_TICKET')
  if (!/^\d+$/.test(tx.Fee)) refuse('temBAD_FEE')
  if (tx.Signers !== undefined) refuse('tefNOT_MULTI_SIGNING')
  transactor.check?.(tx)
}

const checkNumber = (state: StateReader, { Sequence, Account }: AccountRoot, tx: Tx): void => {
  const { TicketSequence } = tx
  if (TicketSequence === undefined) {
    if (tx.Sequence < Sequence) refuse('tefPAST_SEQ')
    if (tx.Sequence > Sequence) refuse('terPRE_SEQ')
    return
  }
  if (TicketSequence >= Sequence) refuse('terPRE_TICKET')
  if (state.get(ticketIndex(Account, TicketSequence)) === undefined) refuse('tefNO_TICKET')
}

const checkFee = ({ Balance }: AccountRoot, tx: Tx, place: Place): void => {
  const fee = BigInt(tx.Fee)
  if (fee < leastFee(tx, place)) refuse('telINSUF_FEE_P')
  if (BigInt(Balance) < fee) refuse('terINSUF_FEE_B')
}

/** Whether the master key signed; an unsigned transaction counts as if it had. @throws Refusal for a key that may not */
const checkKey = (sender: AccountRoot, { SigningPubKey = '' }: Tx): boolean => {
  if (SigningPubKey === '') return true
  const signer = deriveAddress(SigningPubKey)
  const isDisabled = hasFlag(sender, ACCOUNT_FLAGS.disableMaster)
  if (signer === sender.Account && !isDisabled) return true
  if (signer === sender.RegularKey) return false
  return refuse(signer === sender.Account ? 'tefMASTER_DISABLED' : 'tefBAD_AUTH')
}

interface Run {
  readonly tx: Tx
  readonly sender: AccountRoot
  readonly byMaster: boolean
  readonly place: Place
}

const run = (state: StateReader, { tx, sender, byMaster, place }: Run): Outcome => {
  const view = paidFor(state, tx)
  try {
    const delivered = TRANSACTORS[tx.TransactionType]?.apply({ tx, view, place, sender, byMaster })
    return { code: 'tesSUCCESS', changes: view.changes(), delivered }
  } catch (error) {
    if (!(error instanceof Refusal) || !isIncluded(error.code)) throw error
    return { code: error.code, changes: paidFor(state, tx).changes(), delivered: undefined }
  }
}

/** The ledger once the fee and the number of a transaction are taken. */
const paidFor = (state: StateReader, tx: Tx): View => {
  const view = viewOf(state)
  moveDrops(view, tx.Account, -BigInt(tx.Fee))
  if (tx.TicketSequence === undefined) changeAccount(view, tx.Account, { Sequence: tx.Sequence + 1 })
  else useTicket(view, tx.Account, tx.TicketSequence)
  return view
}

const useTicket = (view: View, account: string, number: number): void => {
  const { TicketCount = 0, ...root } = existing(view, account)
  const ticket = view.get(ticketIndex(account, number))
  if (ticket !== undefined) view.erase(ticket)
  view.put({
    ...{ ...root, OwnerCount: root.OwnerCount - 1 },
    ...(TicketCount > 1 ? { TicketCount: TicketCount - 1 } : {}),
  })
}
