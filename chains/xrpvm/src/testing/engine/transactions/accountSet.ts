import { refuse } from '../refusal.js'
import { changeAccount, existing } from '../state/accounts.js'
import { ACCOUNT_FLAGS } from '../state/entries.js'
import type { Transactor } from './transactor.js'

const RATE_ONE = 1_000_000_000

/** Flags by the number that a transaction sets or clears them with. */
const SETTABLE: Readonly<Record<number, number>> = {
  1: ACCOUNT_FLAGS.requireDest,
  2: ACCOUNT_FLAGS.requireAuth,
  3: ACCOUNT_FLAGS.disallowXrp,
  4: ACCOUNT_FLAGS.disableMaster,
  6: ACCOUNT_FLAGS.noFreeze,
  7: ACCOUNT_FLAGS.globalFreeze,
  8: ACCOUNT_FLAGS.defaultRipple,
  9: ACCOUNT_FLAGS.depositAuth,
  13: ACCOUNT_FLAGS.disallowIncomingCheck,
  15: ACCOUNT_FLAGS.disallowIncomingTrustline,
}
const DISABLE_MASTER = 4

/** Settings of an account: flags and transfer rate. */
export const accountSet: Transactor = {
  check: ({ SetFlag = 0, ClearFlag = 0, TransferRate = 0 }) => {
    if (SetFlag !== 0 && SetFlag === ClearFlag) refuse('temINVALID_FLAG')
    if (TransferRate !== 0 && (TransferRate < RATE_ONE || TransferRate > 2 * RATE_ONE)) refuse('temBAD_TRANSFER_RATE')
  },
  apply: ({ tx, view, byMaster }) => {
    const { SetFlag = 0, ClearFlag = 0, TransferRate } = tx
    if (SetFlag === DISABLE_MASTER) {
      if (!byMaster) refuse('tecNEED_MASTER_KEY')
      if (existing(view, tx.Account).RegularKey === undefined) refuse('tecNO_ALTERNATIVE_KEY')
    }
    const { TransferRate: rate, ...root } = existing(view, tx.Account)
    const Flags = ((root.Flags | (SETTABLE[SetFlag] ?? 0)) & ~(SETTABLE[ClearFlag] ?? 0)) >>> 0
    const newRate = TransferRate ?? rate ?? 0
    view.put({
      ...{ ...root, Flags },
      ...(newRate === 0 || newRate === RATE_ONE ? {} : { TransferRate: newRate }),
    })
    return undefined
  },
}

/** Gives an account a second key, or takes it away. */
export const setRegularKey: Transactor = {
  check: ({ Account, RegularKey }) => {
    if (Account === RegularKey) refuse('temBAD_REGKEY')
  },
  apply: ({ tx, view }) => {
    const { RegularKey: _, ...root } = existing(view, tx.Account)
    if (tx.RegularKey !== undefined) changeAccount(view, tx.Account, { RegularKey: tx.RegularKey })
    else if ((root.Flags & ACCOUNT_FLAGS.disableMaster) !== 0) refuse('tecNO_ALTERNATIVE_KEY')
    else view.put(root)
    return undefined
  },
}
