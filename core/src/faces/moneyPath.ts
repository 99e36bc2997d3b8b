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
export {
  findDepositOfRequest,
  findParkedDeposit,
  listParkedDeposits,
  type ParkedDeposit,
} from '../deposit/parkedDeposit.js'
export { recheckDeposits } from '../deposit/recheckDeposits.js'
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
export { type Arrival, arrivalOf } from '../payout/arrival.js'
export { type LocatedAttempt, newLocators, recordLocators, withLocators } from '../payout/attemptLocators.js'
export { type ClosedDeposit, closeAsPaid, planClosing } from '../payout/closeAsPaid.js'
export { createPayouts, type NewPayout } from '../payout/createPayouts.js'
export {
  abandonPayout,
  type Decision,
  type FailedCall,
  findOpenDecisions,
  type OpenDecision,
  recordDecisions,
  turnIntoRefund,
} from '../payout/decisions.js'
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
export {
  findSpending,
  fitsAt,
  type MinuteSpending,
  SPENDING_WINDOW_MS,
  type Spend,
  type SpendLimit,
  spendsOf,
} from '../payout/laneSpending.js'
export type { PaidOrder } from '../payout/paidOrders.js'
export { GroundlessPayoutError } from '../payout/payoutGround.js'
export { findOpenPayouts, findReadyPayouts } from '../payout/payoutQueries.js'
export {
  type CancelReason,
  fillFormData,
  type GivenUp,
  keptData,
  latestAttempt,
  type PayoutAction,
  type PayoutCallsJson,
  type PayoutData,
  type PayoutDeposit,
  type StoredAttempt,
  type StoredPayout,
  toChainPayout,
  toSentAttempt,
} from '../payout/payoutRecord.js'
export { type PayoutState, payoutTransitions } from '../payout/payoutState.js'
export {
  type BurntGas,
  planRefund,
  type RefundDeps,
  type RefundPlan,
  type RefundRequest,
} from '../payout/planRefund.js'
export { purposeOf, refundParked, refusalOf } from '../payout/refundParked.js'
export {
  type DeathProof,
  type LeftAttempts,
  parkExcess,
  recordFillDead,
  recordFinal,
  recordIncluded,
  recordNewGeneration,
  recordPayoutReorg,
  recordSpent,
  recordWithdrawnByOthers,
  rememberWhy,
} from '../payout/settlePayouts.js'
export type { Sighting } from '../payout/sighting.js'
export {
  type AttemptBroadcast,
  type AttemptLane,
  type AttemptToStore,
  LaneMovedError,
  recordBroadcasts,
  storeAttempts,
} from '../payout/storeAttempts.js'
export { clearTrouble, putOffPayout, troubleOf } from '../payout/troubles.js'
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
