export { pooledCount, stockPool, takePooled } from '../address/addressPool.js'
export {
  type AddressKey,
  findAddresses,
  type StoredDepositAddress,
} from '../address/addressReader.js'
export { DEPOSIT_ADDRESS_RULES, type DepositAddressRules } from '../address/addressRules.js'
export { addressParts, type DepositAddressType, type NewDepositAddress } from '../address/newAddress.js'
export {
  type DueRequote,
  findDueRequotes,
  putOffRequote,
  recordRequote,
  refuseRequote,
} from '../address/requotes.js'
export { type AppBalance, isBalanceTooLow, readAppBalances } from '../appBalance/appBalances.js'
export { BALANCE_CONTEXTS, type BalanceContext, balanceChange } from '../appBalance/balanceContext.js'
export {
  BALANCE_CURRENCY,
  type BalanceCurrency,
  conversionBps,
  crossingPrices,
  worthAsBalance,
} from '../appBalance/balanceCurrency.js'
export {
  type BalanceMovement,
  type MovementPage,
  NEWEST,
  readMovements,
  readSnapshot,
} from '../appBalance/balanceMovements.js'
export { type BalanceStatement, readStatement, StatementTooLongError } from '../appBalance/balanceStatement.js'
export {
  type FundingWallet,
  findFundingWallet,
  linkFundingWallet,
  readFundingWallet,
  unlinkFundingWallet,
} from '../appBalance/fundingWallets.js'
export {
  type MemberWallet,
  type MemberWalletDeps,
  MemberWalletQuery,
  memberWallet,
} from '../appBalance/memberWallet.js'
export { sponsorReservation } from '../appBalance/sponsorReservation.js'
export { type StatementJson, StatementSchema, statementCsv, statementJson } from '../appBalance/statementText.js'
export { topupOrderId } from '../appBalance/topupMarker.js'
export {
  type AuditEntry,
  auditActor,
  findAudit,
  recordAudit,
  recordAuditIn,
  type StoredAuditEntry,
} from '../audit/operatorAudit.js'
export { derivedAt, derivedTurns } from '../chain/address/addressTurns.js'
export { storedAddress } from '../chain/address/storedAddress.js'
export { CHAINS, type Chain, ChainRegistry } from '../chain/chainRegistry.js'
export type { ChainHold } from '../chain/comparison/chainHold.js'
export { readService, type ServiceState } from '../chain/service/readService.js'
export { type ServiceGap, UNATTENDED_MS } from '../chain/service/serviceGap.js'
export { whyNotServed } from '../chain/vmType.js'
export { LONGEST_HOLD_MS } from '../clock/futureDates.js'
export {
  type DatabaseClient,
  type DatabasePool,
  DEPLOYMENT,
  type Deployment,
  ENVIRONMENT,
  KEYS,
  type Keys,
  LOGGER,
  POOL,
  SEARCH_POOL,
} from '../container/coreTokens.js'
export { EXTENSION_POINTS } from '../container/extensionPoints.js'
export { token } from '../container/tokens.js'
export { type DayPartitions, keepDayPartitions } from '../database/dayPartitions.js'
export { fromBytea, toBytea } from '../database/hexBytea.js'
export { isLeaseOver, LEASES, type Lease, LeaseKeeper, LeaseLostError, pause, withLease } from '../database/leases.js'
export {
  MIGRATION_LOCK,
  type MigrateOptions,
  type Migration,
  migrate,
  migrationTable,
  type PackageMigrations,
} from '../database/migrate.js'
export {
  API_KEYS_CHANNEL,
  EVENTS_CHANNEL,
  LANE_CHANNEL,
  NOTIFIER,
  type Notifier,
  PostgresNotifier,
  REQUOTE_CHANNEL,
  WEBHOOKS_CHANNEL,
} from '../database/notifier.js'
export { openKnex, withKnex } from '../database/openKnex.js'
export {
  createPool,
  isDatabaseFailure,
  isRefused,
  isRetryable,
  type PoolSettings,
  type TransactionOptions,
  withRetries,
  withTransaction,
} from '../database/pool.js'
export { ActionRefusedError } from '../errors/actionRefused.js'
export type { FailReason, RefundFailReason } from '../errors/failReason.js'
export { armFailpoint, FAILPOINTS, type Failpoint, failpoint, setFailpointHandler } from '../failpoint/failpoint.js'
export { acceptFastFill, type FastFillAnswer, type NewFastFill } from '../fastFill/acceptFastFill.js'
export type { FastFillCover, FastFillState } from '../fastFill/fastFill.js'
export { type FastFillOrder, findFastFillOrder, findFastFillState } from '../fastFill/findFastFillOrder.js'
export { DEFAULT_KEY, type DefaultKey, type KeyedCall } from '../http/access/defaultKey.js'
export {
  ANONYMOUS,
  type Caller,
  INTEGRATOR_AUTH,
  type IntegratorAuth,
  invalidApiKey,
  noIntegrators,
} from '../http/access/integratorAuth.js'
export {
  KEY_LIMITS,
  KEY_USES,
  type KeyLimit,
  type KeyLimits,
  type KeyUseDay,
  type KeyUses,
} from '../http/access/keyFacts.js'
export { KEY_OWNERSHIP, type KeyOwnership, ownsAs } from '../http/access/keyOwnership.js'
export { KEY_SECRETS, type KeySecrets } from '../http/access/keySecrets.js'
export {
  MANAGEMENT_GATE,
  MANAGEMENT_REFUSALS,
  MANAGEMENT_ROUTE,
  type ManagedKey,
  type ManagementGate,
  managementGateOf,
  NamedIntegrator,
  SIGN_IN_AGAIN,
  type SignedInMember,
} from '../http/access/managementGate.js'
export { CALL_OBSERVERS, type CallFacts, type CallObserver, type FinishedCall } from '../http/callObserver.js'
export { HttpError, type HttpErrorOptions, rateLimitHeaders, tooManyRequests } from '../http/httpError.js'
export { editDistance } from '../http/misspelt/editDistance.js'
export {
  AddressText,
  AmountText,
  ChainId,
  Hash32,
  RULE_KEYWORD,
  SignedAmountText,
  UsdText,
  VmTypeText,
} from '../http/openapi/amountSchema.js'
export {
  type AmountJson,
  AmountSchema,
  type CurrencyJson,
  CurrencySchema,
  ExecuteErrorSchema,
  MessageSchema,
  StatusCode,
} from '../http/openapi/sharedSchemas.js'
export { PreparedJson } from '../http/preparedJson.js'
export { type Reply, reply } from '../http/reply.js'
export { clientNetwork } from '../http/request/clientNetwork.js'
export { Content, ContentSchema } from '../http/request/content.js'
export { isLoopback, loopbackOrigin } from '../http/request/loopback.js'
export { RATE_LIMITER, type RateDecision, type RateLimitedCall, type RateLimiter } from '../http/request/rateLimiter.js'
export { compileNext, validator } from '../http/request/validate.js'
export {
  defineRoute,
  type ErrorAnswer,
  type ErrorFamily,
  type HandlerResult,
  HTTP_METHODS,
  type HttpMethod,
  type RequestContext,
  type Route,
  type RouteDeclaration,
  type RouteInput,
} from '../http/route.js'
export { refuseSocket, type ServeSocketsOptions, serveSockets } from '../http/socket/serveSockets.js'
export type { SocketCall, SocketEndpoint } from '../http/socket/socketEndpoint.js'
export {
  type BegunCall,
  type Effect,
  IDEMPOTENT_CALLS,
  type IdempotentCall,
  type IdempotentCalls,
  type IdempotentRun,
  type KeptAnswer,
} from '../idempotency/idempotentCalls.js'
export { recordEffectIn } from '../idempotency/recordEffect.js'
export {
  deploymentMigrations,
  type HeldMasters,
  heldMasters,
  lockMasterMarks,
  type MasterMarks,
  masterMark,
  type RunQuery,
  readMasterMarks,
  refuseMasters,
} from '../keys/databaseMaster.js'
export { openText, sealText } from '../keys/sealedText.js'
export { SealedValues, type SealedValuesDeps } from '../keys/sealedValues.js'
export { type AmountOptions, amountObject, currencyJson } from '../money/amountObject.js'
export { CURRENCY_LISTING, type CurrencyListing } from '../money/currency/currencyListing.js'
export {
  CURRENCY_SEARCH_SOURCES,
  type CurrencySearch,
  type CurrencySearchSource,
} from '../money/currency/currencySearchSource.js'
export { type MatchRank, matchRank } from '../money/currency/matchRank.js'
export { shownTokenText } from '../money/currency/shownTokenText.js'
export { TokenFactsReader, type TokenFactsReaderDeps } from '../money/currency/tokenFactsReader.js'
export { unlistedCurrency } from '../money/currency/unlistedCurrency.js'
export { exchanged, type PricedCurrency } from '../money/exchanged.js'
export { memberOf } from '../money/prices/priceJson.js'
export { quotientText, rateText } from '../money/rate.js'
export { scaleAmount } from '../money/scale.js'
export { type FeeSums, sumFees } from '../money/sumFees.js'
export { USD_DECIMALS, type Usd } from '../money/usd.js'
export {
  amountForUsd,
  floorUsd,
  formatPercent,
  formatUsd,
  ONE_USD,
  parseUsd,
  roundUsd,
  usdValue,
} from '../money/usdMath.js'
export { parseWholeUnits } from '../money/wholeUnits.js'
export { NONCE_MAPPINGS } from '../nonceMapping/nonceMappings.js'
export { compareCursors, decodeCursor, encodeCursor, OUTBOX_START, type OutboxCursor } from '../outbox/outboxCursor.js'
export {
  EVENT_COLUMNS,
  type EventRow,
  IS_TOLD,
  type OutboxBatch,
  OutboxReader,
  OutboxWakes,
  toOutboxEvent,
} from '../outbox/outboxReader.js'
export {
  type OutboxEvent,
  STATUS_EVENT,
  type StatusEventData,
  statusEventBody,
  statusEventData,
  statusEventId,
} from '../outbox/statusEvent.js'
export { OutgoingError, type OutgoingFailure } from '../outgoing/outgoingError.js'
export {
  type OutgoingAnswer,
  type OutgoingDocument,
  type OutgoingGet,
  OutgoingHttp,
  type OutgoingHttpDeps,
  type OutgoingPost,
} from '../outgoing/outgoingHttp.js'
export type { ResolveName } from '../outgoing/resolveName.js'
export { parseTarget, TargetRefused, type TargetRules } from '../outgoing/targetUrl.js'
export { installCommand } from '../packages/installCommand.js'
export { PAGE_EXTENSIONS, type PageExtension } from '../pages/pageExtension.js'
export { fillByTerms, payoutForm } from '../payout/chainPayout.js'
export { hasLostClaims } from '../payout/claim/adoptClaims.js'
export { type ClaimTerms, claimIdOf } from '../payout/claim/claimId.js'
export {
  type ClaimPosition,
  findClaim,
  listClaims,
  type NewClaim,
  type ShownClaim,
  type StoredClaim,
} from '../payout/claim/claimStore.js'
export { type ClaimPayment, payClaim } from '../payout/claim/payClaim.js'
export { acceptOrigin, type NewOrigin, type OriginAnswer } from '../payout/origin/acceptOrigin.js'
export { type FoundOrigin, findOrigin } from '../payout/origin/findOrigin.js'
export { type OriginBearer, type PayoutOrigin, storedPermit } from '../payout/origin/originData.js'
export { PERMIT_HANDLERS, type PermitAnswer, type PermitCall, type PermitHandler } from '../permit/permitHandler.js'
export { PermitSupport, type PermitSupportDeps, type PermitWays } from '../permit/permitSupport.js'
export { CHAIN_USE, ChainsForCommands, ChainsOfHost, type ChainUse } from '../plugin/chainUse.js'
export { OPERATOR_COMMANDS, type OperatorCommands } from '../plugin/operatorCommands.js'
export {
  type Command,
  type CommandInput,
  type CommandKind,
  definePlugin,
  type Job,
  type Plugin,
  type PluginContext,
  type Provide,
  ROLES,
  type Role,
} from '../plugin/plugin.js'
export {
  FEE_COMPONENTS,
  type FeeComponent,
  FeeSponsorshipSchema,
  type QuotedSponsorship,
  QuotedSponsorshipSchema,
} from '../quote/feeSponsorship.js'
export { RECIPIENT_SCREENING, type RecipientScreening, whyNotPayable, whyOwnerless } from '../quote/payableRecipient.js'
export { type QuoteBody, QuoteBodySchema } from '../quote/quoteBody.js'
export {
  QUOTE_ENGINE,
  type QuoteCall,
  type QuoteCallTrace,
  type QuoteEngine,
  type RepriceDecision,
  type RepriceDeposit,
  type RequoteCall,
  type Requoted,
} from '../quote/quoteEngine.js'
export {
  type AddedTerms,
  type DepositStep,
  defineQuoteExtension,
  type FeeLine,
  type FixedRate,
  type PricedDeposit,
  type PricedDraft,
  QUOTE_EXTENSIONS,
  QUOTE_PHASES,
  type QuoteConditions,
  type QuoteDraft,
  type QuoteExtension,
  type QuoteIds,
  type QuotePart,
  type QuotePhase,
  type ReplacedDeposit,
  type StoredQuoteIds,
} from '../quote/quoteExtension.js'
export { holderKey, holderOf } from '../quote/quoteHolder.js'
export {
  type PriceResponse,
  PriceResponseSchema,
  QuoteDetailsSchema,
  QuoteFeesSchema,
  type QuoteResponse,
  QuoteResponseSchema,
} from '../quote/quoteResponse.js'
export {
  HOLD_RESULTS,
  type HoldResult,
  type NewQuote,
  QUOTE_STORE,
  type QuoteStore,
  type StoredQuote,
} from '../quote/quoteStore.js'
export {
  parseTerms,
  type QuoteTerms,
  type RouteSide,
  serializeTerms,
  type TermsCalls,
  type TermsConvertedFee,
  type TermsDirect,
  type TermsEarning,
  type TermsEarnings,
  type TermsIntegratorFee,
  type TermsSponsorship,
  type TermsSwap,
  type TradeType,
} from '../quote/quoteTerms.js'
export { checkDelegations } from '../quote/signedDelegations.js'
export { SOLVER_ROUTER } from '../quote/solverRouter.js'
export { leftByCalls, spentByCalls } from '../quote/spentByCalls.js'
export {
  buildRecord,
  type RecordDataJson,
  type RecordDepositAddressJson,
  type RecordJson,
  recordPartner,
  recordParts,
  recordRefund,
} from '../record/build/buildRecord.js'
export { quotedAmount, quotedAt, quotedText } from '../record/build/quotedFacts.js'
export { type RecordAppFeesJson, recordAppFees } from '../record/build/recordAppFees.js'
export type { RecordContext } from '../record/build/recordContext.js'
export { executionOf, type RecordExecution } from '../record/build/recordExecution.js'
export { type RecordFeesJson, recordFees } from '../record/build/recordFees.js'
export { type RecordProtocolJson, recordProtocol } from '../record/build/recordProtocol.js'
export {
  quotedEnds,
  type RecordParts,
  type RecordRouteJson,
  type RouteJson,
  type RouteSideJson,
  recordRoute,
} from '../record/build/recordRoute.js'
export {
  type RecordSponsorship,
  type RecordSponsorshipJson,
  recordSponsorship,
  type SponsoredComponentJson,
  type SponsorPayment,
  type SponsorshipPhase,
  sponsoredFees,
  sponsorPayment,
} from '../record/build/recordSponsorship.js'
export {
  type FailedTxJson,
  failedTx,
  type RecordTxJson,
  recordTransactions,
} from '../record/build/recordTransactions.js'
export { hiddenChains } from '../record/privateChains.js'
export {
  loadRecordFacts,
  type RecordDeposit,
  type RecordFacts,
  type RecordPayout,
  type RecordTx,
} from '../record/recordFacts.js'
export {
  failedTxFields,
  nullable,
  oneOf,
  RecordPlatformFeeSchema,
  RecordProtocolSchema,
  recordTxFields,
  routeSideFields,
  SponsorPaymentSchema,
  sponsorshipPhase,
} from '../record/recordPartSchemas.js'
export {
  badQuery,
  cursorQuestion,
  listOf,
  MAX_API_KEYS,
  MAX_SECONDS,
  rangeOf,
  referrerAlone,
  STATUS_FILTER,
} from '../record/search/queryRules.js'
export { RecordCursor } from '../record/search/recordCursor.js'
export {
  RECORD_FIELDS,
  type RecordColumns,
  type RecordCondition,
  type RecordField,
  type RecordPage,
  type RecordPosition,
  type RecordQuery,
  type RecordRange,
  type RecordRanges,
  type RecordRow,
  type RecordSort,
} from '../record/search/recordQuery.js'
export { RecordSearch } from '../record/search/recordSearch.js'
export { changeStatuses, PRESENT_EVENT_COLUMNS, type StatusChange } from '../request/changeStatus.js'
export {
  type DirectTrackerDeps,
  type NotedTransaction,
  noteDirectTransactions,
} from '../request/direct/directTransactions.js'
export type { FundsAtAddress } from '../request/fundsAtAddress.js'
export { ORDER_FACTS_JOIN, QUOTED_SQL } from '../request/orderFacts.js'
export { findDirectTerms } from '../request/recordExecutions.js'
export {
  DEPOSIT_HINTS,
  type DepositHints,
  REQUESTS,
  type RequestOfTransaction,
  type RequestReader,
  type RequestStatusView,
  TRUSTED_CALLER,
} from '../request/requestReader.js'
export {
  canMove,
  FINISHED_STATUSES,
  REQUEST_STATUSES,
  REQUEST_TRANSITIONS,
  type RequestStatus,
} from '../request/requestStatus.js'
export { explorerRoot, transactionLink } from '../request/tracking/explorerLinks.js'
export { TRACKED_REQUESTS, type TrackedRequest, type TrackedRequests } from '../request/tracking/trackedRequests.js'
export { TRANSFER_ANSWERS, type TransferAnswers } from '../request/tracking/transferAnswers.js'
export { personalDigest } from '../signature/personalDigest.js'
export {
  type SignatureClaim,
  type SignatureVerdict,
  WALLET_SIGNATURES,
  type WalletSignatures,
} from '../signature/walletSignatures.js'
export { balanceRefusals } from '../telemetry/balances/balanceRefusals.js'
export {
  type Counter,
  type Histogram,
  type HistogramDefinition,
  type Labels,
  type LabelValues,
  METRICS,
  type MetricDefinition,
  type MetricSource,
  type Metrics,
  type Sample,
} from '../telemetry/metrics.js'
export { type QuoteSpan, RequestTracing, type SpanName, TRACING } from '../telemetry/requestTracing.js'
export { collectPhases, type TracePhase, tracePhase } from '../telemetry/tracePhases.js'
export { traceTime } from '../telemetry/traceTime.js'
