import type { Action } from './action.js'
import {
  blockedAddress,
  inventedArrival,
  leavingArrival,
  nameAddresses,
  payAddress,
  strangerSweep,
} from './addresses.js'
import { claim, linkWallet } from './claims.js'
import { fastFill, topUp } from './fastFills.js'
import { failOver, restartDatabase, restore } from './faults/databaseFaults.js'
import { chainAway, closedAccount, nodeTrouble, reorg, reorgTakenBack, scarceBlocks } from './faults/ledgerFaults.js'
import { priceMoves, signersAway } from './faults/outerFaults.js'
import { crashAnywhere, crashAtFailpoint, crashAtSignature, freezeHost, hostClock } from './faults/processFaults.js'
import { lateDeposit } from './lateDeposits.js'
import { nameDeposits } from './namedDeposits.js'
import { assignParked, closePaid, refundRequest, releaseAll, settleParked } from './operator.js'
import { pairOfPermits } from './permits/pairOfPermits.js'
import { leavingPermit, postedAgain, strangerPermit } from './permits/permitFaults.js'
import { signedDeposit } from './permits/signedDeposit.js'
import { thirdPartyDeposit } from './permits/thirdPartyDeposit.js'
import { stray, transfer } from './transfers.js'

/** Everything that a story is made of: a later feature adds its own here. */
export const ACTIONS: readonly Action[] = [
  transfer,
  stray,
  reorg,
  nodeTrouble,
  chainAway,
  scarceBlocks,
  closedAccount,
  signersAway,
  priceMoves,
  crashAnywhere,
  crashAtFailpoint,
  freezeHost,
  hostClock,
  restartDatabase,
  failOver,
  restore,
  settleParked,
  assignParked,
  refundRequest,
  closePaid,
  releaseAll,
  nameDeposits,
  payAddress,
  strangerSweep,
  nameAddresses,
  leavingArrival,
  blockedAddress,
  inventedArrival,
  claim,
  linkWallet,
  topUp,
  fastFill,
  lateDeposit,
  signedDeposit,
  strangerPermit,
  postedAgain,
  leavingPermit,
  crashAtSignature,
  pairOfPermits,
  reorgTakenBack,
  thirdPartyDeposit,
]

/** Every kind of fault. */
export const FAULTS: readonly string[] = ACTIONS.flatMap(({ faults = [] }) => faults)
