import type { Kind } from '../kinds.js'
import { Refusal } from '../refusal.js'
import { cryptoCreateAccount, cryptoDelete, cryptoUpdateAccount } from './accounts.js'
import type { Transactor } from './context.js'
import { cryptoApproveAllowance, cryptoTransfer } from './cryptoTransfer.js'
import { scheduleCreate, scheduleSign } from './schedules.js'
import { tokenAssociate, tokenSwitches } from './tokenRelations.js'
import { tokenCreation, tokenDeletion, tokenFeeScheduleUpdate, tokenMint } from './tokens.js'

/** The local network runs no contracts; a control records their calls. */
const contractCall: Transactor = {
  check: () => {
    throw new Refusal('NOT_SUPPORTED')
  },
  apply: () => {},
}

export const TRANSACTORS: Readonly<Record<Kind, Transactor>> = {
  ...{ cryptoTransfer, cryptoCreateAccount, cryptoUpdateAccount, cryptoDelete, cryptoApproveAllowance },
  ...{ tokenCreation, tokenAssociate, tokenMint, tokenDeletion, tokenFeeScheduleUpdate },
  ...{ ...tokenSwitches, scheduleCreate, scheduleSign, contractCall },
}
