export { HELD_SQL } from '../address/addressBooks.js'
export { type LookOrder, orderLook } from '../address/orderLook.js'
export { type RefundTarget, type RefundTargetDeps, refundTarget } from '../address/refundSender.js'
export { readFreeBalance } from '../appBalance/fundingWallets.js'
export { withinTime } from '../chain/endpoint/timeLimit.js'
export { settledHeight, witnessedHeight } from '../chain/settledHeight.js'
export { type ChainHalt, findChainHalts, type Reorganization, releaseChain } from '../deposit/chainHalt.js'
export type { DepositClass, DepositContext } from '../deposit/classifyDeposit.js'
export { DepositIngest } from '../deposit/depositIngest.js'
export type { KnownOrder, NewDeposit, StoredDeposit } from '../deposit/depositStore.js'
export {
  type DepositInDoubt,
  type DepositTrust,
  type DepositTrustDeps,
  demandOf,
  judgeDeposit,
} from '../deposit/depositTrust.js'
export { assignParked } from '../deposit/parked/assignParked.js'
export { BROUGHT_SQL } from '../deposit/parked/correctAmount.js'
export { countParkedDeposits, PARKED_KINDS, type ParkedCount } from '../deposit/parked/countParkedDeposits.js'
export {
  findDepositOfRequest,
  findParkedDeposit,
  listParkedDeposits,
  type ParkedDeposit,
} from '../deposit/parked/parkedDeposit.js'
export { recheckDeposits } from '../deposit/recheckDeposits.js'
export { type CreditedDeposit, creditDeposit, findDepositsToCredit } from '../fastFill/creditDeposit.js'
export type { FastFill, FastFillCover, FastFillState } from '../fastFill/fastFill.js'
export {
  endFastFill,
  type FastFillEnd,
  findQueuedFastFills,
  putOffFastFill,
  type QueuedFastFill,
  recordFastFillDead,
  startFastFill,
} from '../fastFill/fillAhead.js'
export {
  debitFastFill,
  findSettlingFastFills,
  findUnpaidFastFills,
  type SettledDeposit,
  type SettlingFastFill,
  settleFastFill,
  type WorthNow,
} from '../fastFill/settleFastFill.js'
export { allocatorOf } from '../keys/allocatorKey.js'
export {
  findUnbalanced,
  type HolderAccount,
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
  type ClaimedMoney,
  capitalPosting,
  claimedPosting,
  claimPosting,
  correctionPosting,
  depositPosting,
  type FillBalances,
  type FillEarning,
  fillPosting,
  gasPosting,
  type IntegratorShare,
  integratorPaidPosting,
  refundPosting,
  withdrawPosting,
} from '../ledger/postings.js'
export { isSentForUsers, WALLET_LINES_SQL } from '../ledger/walletLinesSql.js'
export {
  LASTING_DIFFERENCE_SQL,
  LASTING_MISSING_SQL,
  type ObservedBalance,
  type ObservedWallet,
  readSpendable,
  saveInventory,
} from '../money/inventory.js'
export { type LocatedAttempt, newLocators, recordLocators, withLocators } from '../payout/attempt/attemptLocators.js'
export { type AttemptBroadcast, recordBroadcasts } from '../payout/attempt/recordBroadcasts.js'
export {
  type AttemptLane,
  type AttemptToStore,
  LaneMovedError,
  storeAttempts,
} from '../payout/attempt/storeAttempts.js'
export { fillFormData, keptData, simulatedData, toChainPayout, toSentAttempt } from '../payout/chainPayout.js'
export { hasLostClaims } from '../payout/claim/adoptClaims.js'
export { endClaim } from '../payout/claim/payClaim.js'
export { createPayouts, type DepositPayout, type NewPayout } from '../payout/createPayouts.js'
export { abandonPayout } from '../payout/decision/abandonPayout.js'
export { type Decision, recordDecisions } from '../payout/decision/decisions.js'
export type { FailedCall } from '../payout/decision/failedCalls.js'
export { findOpenDecisions, type OpenDecision } from '../payout/decision/openDecisions.js'
export {
  type BurntGas,
  planRefund,
  type RefundDeps,
  type RefundPlan,
  type RefundRequest,
} from '../payout/decision/planRefund.js'
export { turnIntoRefund } from '../payout/decision/turnIntoRefund.js'
export { capUnsettled, fitsUnsettledCap, type UnsettledCap } from '../payout/decision/unsettledCap.js'
export { GroundlessPayoutError } from '../payout/ground/payoutGround.js'
export { DEPOSIT_LEFT, type RemainingPayouts } from '../payout/ground/unsignedPayouts.js'
export { findForgottenSince } from '../payout/lane/forgottenLanes.js'
export { findLaneDue, hasSentPayouts } from '../payout/lane/laneDue.js'
export {
  findLane,
  findUnsettledChains,
  HOLDS_BACK_SQL,
  KEEPS_SHUT_SQL,
  type LaneJournal,
  type LaneKey,
  type LaneOpening,
  MAY_PAY_FOR_SQL,
  openLane,
  type StoredLane,
} from '../payout/lane/laneJournal.js'
export { balanceBefore, findFormerLanes, openingEvent } from '../payout/lane/laneOpening.js'
export { moveLaneOn } from '../payout/lane/laneProgress.js'
export { acceptGap, lockLane, type ReleasedTransaction, releaseTransactions } from '../payout/lane/laneRelease.js'
export {
  awaitLimit,
  findSpending,
  fitsAt,
  type MinuteSpending,
  SPENDING_WINDOW_MS,
  type Spend,
  type SpendLimit,
  spendsOf,
} from '../payout/lane/laneSpending.js'
export { type PaidOrder, paidOtherwiseBy } from '../payout/lane/paidOrders.js'
export { RESTORED_HISTORY_SQL } from '../payout/lane/restoredHistory.js'
export { findUnexplainedPayments, type UnexplainedPayments } from '../payout/lane/unexplainedPayments.js'
export { type WitnessDeps, witnessLanes } from '../payout/lane/witnessLanes.js'
export { endOrigin, type OriginFailure } from '../payout/origin/endOrigin.js'
export { type ClosedDeposit, closeAsPaid, planClosing } from '../payout/parked/closeAsPaid.js'
export { findProvenClosings, type ProvenClosing, type ProvenClosings } from '../payout/parked/provenClosings.js'
export { purposeOf, refundParked, refusalOf } from '../payout/parked/refundParked.js'
export { findOpenPayouts, findPayoutsOf, findReadyPayouts } from '../payout/payoutQueries.js'
export {
  type CancelReason,
  claimOf,
  depositOf,
  type GivenUp,
  latestAttempt,
  originOf,
  originTransactionOf,
  type PayoutAction,
  type PayoutAttempt,
  type PayoutCallsJson,
  type PayoutClaim,
  type PayoutData,
  type PayoutDeposit,
  type PayoutEarnings,
  type PayoutSponsorship,
  type StoredAttempt,
  type StoredPayout,
} from '../payout/payoutRecord.js'
export { type PayoutState, payoutTransitions } from '../payout/payoutState.js'
export { type Arrival, arrivalOf } from '../payout/settlement/arrival.js'
export { forgetSeemsDead, recordNotDead, recordSeemsDead, rememberWhy } from '../payout/settlement/deathJudgement.js'
export { type DeathProof, recordFillDead, recordNewGeneration } from '../payout/settlement/recordDeath.js'
export { parkExcess, recordFinal, recordWithdrawnByOthers } from '../payout/settlement/recordFinal.js'
export { recordIncluded } from '../payout/settlement/recordIncluded.js'
export { type LeftAttempts, recordPayoutReorg } from '../payout/settlement/recordReorg.js'
export { recordSpent } from '../payout/settlement/recordSpent.js'
export { findSettledWork } from '../payout/settlement/settledWork.js'
export { settleEarnings } from '../payout/settlement/settleEarnings.js'
export type { Sighting } from '../payout/settlement/sighting.js'
export { type NewSweep, type PlaceLook, recordLooks } from '../payout/sweep/createSweeps.js'
export { type DuePlace, findDuePlaces } from '../payout/sweep/duePlaces.js'
export { endSweep } from '../payout/sweep/endSweep.js'
export { GONE_AFTER, NOT_WORTH_ITS_SWEEP, nextLook, retryLook } from '../payout/sweep/lookSchedule.js'
export { clearTrouble, putOffPayout, troubleOf } from '../payout/troubles.js'
export { dayLimit, type OrderRules, orderRefusal } from '../payout/wallet/orderRules.js'
export { operatorAddress, signerOfOrder, signWalletOrder } from '../payout/wallet/orderSignature.js'
export {
  LONGEST_ORDER_SECONDS,
  readWalletOrder,
  type WalletAction,
  type WalletOrder,
  walletOrderId,
  walletOrderText,
} from '../payout/wallet/walletOrder.js'
export {
  createWalletOrder,
  type EarlierGeneration,
  findClaims,
  findSignedOrder,
  listWalletOrders,
  readDatabaseId,
  refuseWalletOrder,
  type ShownWalletOrder,
  type SignedWalletOrder,
  sentWithinDay,
} from '../payout/wallet/walletOrders.js'
export {
  type AllowedRecipient,
  WALLET_OFF,
  WALLET_OFF_TEXT,
  WALLET_POLICY,
  type WalletPolicy,
} from '../payout/wallet/walletPolicy.js'
export { findProviderAlerts, type StoredProviderAlert } from '../quorum/providerAlerts.js'
export { neededProviders } from '../quorum/quorumTiers.js'
export { slotOfNow } from '../quote/quoteStoreSql.js'
export type { NewRequest } from '../request/insertRequests.js'
export type { RequestTx } from '../request/requestTxs.js'
export { firstFailReasonOf } from '../request/tracking/firstFailReasonSql.js'
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
