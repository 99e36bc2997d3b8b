export { settledHeight } from '../chain/settledHeight.js'
export { withinTime } from '../chain/timeLimit.js'
export { assignParked } from '../deposit/assignParked.js'
export { type ChainHalt, findChainHalts, type Reorganization, releaseChain } from '../deposit/chainHalt.js'
export type { DepositClass, DepositContext } from '../deposit/classifyDeposit.js'
export { BROUGHT_SQL } from '../deposit/correctAmount.js'
export { DepositIngest } from '../deposit/depositIngest.js'
export type { KnownOrder, NewDeposit, StoredDeposit } from '../deposit/depositStore.js'
export {
  type DepositInDoubt,
  type DepositTrust,
  type DepositTrustDeps,
  demandOf,
  judgeDeposit,
} from '../deposit/depositTrust.js'
export { lookAgain } from '../deposit/lookAgain.js'
export {
  findDepositOfRequest,
  findParkedDeposit,
  listParkedDeposits,
  type ParkedDeposit,
} from '../deposit/parkedDeposit.js'
export { allocatorOf } from '../keys/allocatorKey.js'
export {
  findUnbalanced,
  type LedgerAccount,
  type LedgerBalance,
  type LedgerEntry,
  type LedgerPosting,
  postLedger,
  readIntegratorBalances,
  readLedgerBalances,
} from '../ledger/ledger.js'
export type { ParkedMoney } from '../ledger/parkMoney.js'
export {
  capitalPosting,
  correctionPosting,
  depositPosting,
  fillPosting,
  gasPosting,
  type IntegratorShare,
  integratorPaidPosting,
  refundPosting,
  withdrawPosting,
} from '../ledger/postings.js'
export { WALLET_LINES_SQL } from '../ledger/walletLinesSql.js'
export {
  LASTING_DIFFERENCE_SQL,
  LASTING_MISSING_SQL,
  type ObservedBalance,
  type ObservedWallet,
  readSpendable,
  saveInventory,
} from '../money/inventory.js'
export { abandonPayout } from '../payout/abandonPayout.js'
export { type Arrival, arrivalOf } from '../payout/arrival.js'
export { type LocatedAttempt, newLocators, recordLocators, withLocators } from '../payout/attemptLocators.js'
export { fillFormData, keptData, toChainPayout, toSentAttempt } from '../payout/chainPayout.js'
export { type ClosedDeposit, closeAsPaid, planClosing } from '../payout/closeAsPaid.js'
export { createPayouts, type NewPayout } from '../payout/createPayouts.js'
export { forgetSeemsDead, recordNotDead, recordSeemsDead, rememberWhy } from '../payout/deathJudgement.js'
export { type Decision, recordDecisions } from '../payout/decisions.js'
export type { FailedCall } from '../payout/failedCalls.js'
export {
  findLane,
  findUnsettledChains,
  HOLDS_BACK_SQL,
  KEEPS_SHUT_SQL,
  type LaneJournal,
  type LaneKey,
  openLane,
  type StoredLane,
} from '../payout/laneJournal.js'
export { acceptGap, lockLane, type ReleasedTransaction, releaseTransactions } from '../payout/laneRelease.js'
export {
  awaitLimit,
  findSpending,
  fitsAt,
  type MinuteSpending,
  SPENDING_WINDOW_MS,
  type Spend,
  type SpendLimit,
  spendsOf,
} from '../payout/laneSpending.js'
export { findOpenDecisions, type OpenDecision } from '../payout/openDecisions.js'
export type { PaidOrder } from '../payout/paidOrders.js'
export { GroundlessPayoutError } from '../payout/payoutGround.js'
export { findOpenPayouts, findReadyPayouts } from '../payout/payoutQueries.js'
export {
  type CancelReason,
  type GivenUp,
  latestAttempt,
  type PayoutAction,
  type PayoutAttempt,
  type PayoutCallsJson,
  type PayoutData,
  type PayoutDeposit,
  type StoredAttempt,
  type StoredPayout,
} from '../payout/payoutRecord.js'
export { type PayoutState, payoutTransitions } from '../payout/payoutState.js'
export {
  type BurntGas,
  planRefund,
  type RefundDeps,
  type RefundPlan,
  type RefundRequest,
} from '../payout/planRefund.js'
export { type AttemptBroadcast, recordBroadcasts } from '../payout/recordBroadcasts.js'
export { type DeathProof, recordFillDead, recordNewGeneration } from '../payout/recordDeath.js'
export { parkExcess, recordFinal, recordWithdrawnByOthers } from '../payout/recordFinal.js'
export { recordIncluded } from '../payout/recordIncluded.js'
export { type LeftAttempts, recordPayoutReorg } from '../payout/recordReorg.js'
export { recordSpent } from '../payout/recordSpent.js'
export { purposeOf, refundParked, refusalOf } from '../payout/refundParked.js'
export type { Sighting } from '../payout/sighting.js'
export { type AttemptLane, type AttemptToStore, LaneMovedError, storeAttempts } from '../payout/storeAttempts.js'
export { clearTrouble, putOffPayout, troubleOf } from '../payout/troubles.js'
export { turnIntoRefund } from '../payout/turnIntoRefund.js'
export { capUnsettled, type UnsettledCap } from '../payout/unsettledCap.js'
export { DEPOSIT_LEFT, type RemainingPayouts } from '../payout/unsignedPayouts.js'
export { type WitnessDeps, witnessLanes } from '../payout/witnessLanes.js'
export { slotOfNow } from '../quote/quoteStoreSql.js'
export type { NewRequest } from '../request/insertRequests.js'
export type { RequestTx } from '../request/requestTxs.js'
export {
  type FailedStep,
  type MadeDecision,
  type ObservedPayout,
  type PayoutStep,
  type SeenDeposit,
  TRANSFER_OBSERVER,
  TransferObserver,
  type TransferObserverDeps,
} from '../telemetry/transferObserver.js'
