export { SqlAccessTokens } from '../accessToken/sqlAccessTokens.js'
export { SqlKeptSums } from '../address/sums/sqlKeptSums.js'
export { compareChain } from '../chain/comparison/compareChain.js'
export { type CurrencyDifference, compareCurrencies } from '../chain/comparison/compareCurrencies.js'
export { moveClock } from '../clock/databaseClock.js'
export { type CoreServices, registerCoreServices } from '../container/coreServices.js'
export type { NotificationOptions } from '../database/notifications.js'
export type { RetentionDays } from '../database/retention.js'
export { coreMigrations } from '../database/schema/coreMigrations.js'
export { findSessionProblem, openConnection, type SessionProblem } from '../database/session.js'
export {
  type ApplicationLimits,
  type ApplicationOptions,
  createApplication,
  type RequestObserver,
} from '../http/application.js'
export type { ErrorResponse } from '../http/errorBody.js'
export { type ListenOptions, type RunningServer, startServer } from '../http/listen.js'
export { describeError, type LoggedError } from '../http/logging/errorLog.js'
export { createLogger, type LoggerOptions } from '../http/logging/logger.js'
export { redactErrorMessage } from '../http/logging/redact.js'
export type { DocumentedAnswer } from '../http/openapi/documentedAnswers.js'
export { type OpenApiDocument, type OpenApiOptions, openApiDocument } from '../http/openapi/openApi.js'
export { openApiPath } from '../http/openapi/openApiOperation.js'
export {
  CONNECTION_REFUSALS,
  type ConnectionLimitOptions,
  type ConnectionRefusal,
} from '../http/request/connectionLimits.js'
export type { BodyLimits } from '../http/request/jsonBody.js'
export { type ListenerName, listenerOf } from '../http/request/listenerName.js'
export { EnvironmentKeys } from '../keys/environmentKeys.js'
export {
  addToKeystore,
  changeKeystorePassphrase,
  createInKeystore,
  createKeystore,
  divideKeystore,
  exportFromKeystore,
  type KeystorePart,
  listKeystore,
  type OpenKeystore,
  openKeystore,
  renameInKeystore,
  schemeOf,
} from '../keys/keystore/keystore.js'
export { syncFolder } from '../keys/keystore/keystoreFile.js'
export {
  isKeystoreText,
  type KeystoreEntry,
  KeystoreError,
  WrongPassphraseError,
} from '../keys/keystore/keystoreFormat.js'
export { InvalidKeyError, parsePrivateKey } from '../keys/privateKeyText.js'
export { ConfiguredCurrencies } from '../money/currency/configuredCurrencies.js'
export { CheckedPrices, type CheckedPricesDeps } from '../money/prices/checkedPrices.js'
export { CoinGeckoPriceSource, type CoinGeckoPriceSourceDeps } from '../money/prices/coinGeckoPriceSource.js'
export { DexPriceSource, type DexPriceSourceDeps } from '../money/prices/dexPriceSource.js'
export { FilePriceSource, type FilePriceSourceDeps } from '../money/prices/filePriceSource.js'
export type { IsListed } from '../money/prices/priceNames.js'
export { PythPriceSource, type PythPriceSourceDeps } from '../money/prices/pythPriceSource.js'
export { SqlNonceMappings, type SqlNonceMappingsDeps } from '../nonceMapping/nonceMappingsSql.js'
export { permitRoutes } from '../permit/permitRoutes.js'
export { CORE_VERSION, fitsCore } from '../plugin/coreCompatibility.js'
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  findEmbeddedPostgres,
  startEmbeddedPostgres,
  stopEmbeddedPostgres,
} from '../postgres/embeddedPostgres.js'
export { copyDataFolder, DataFolderCopyError, measureCopy, placeDataFolder } from '../postgres/folderCopy.js'
export { findPostgresBinaries, requireEmbeddedPostgres } from '../postgres/postgresBinaries.js'
export { isAlive } from '../postgres/serverProcess.js'
export { type PostgresUse, type PostgresUseOptions, useEmbeddedPostgres } from '../postgres/sharedPostgres.js'
export {
  findProviderAlerts,
  type ProviderAlert,
  type ProviderAlertKind,
  raiseProviderAlert,
  type StoredProviderAlert,
} from '../quorum/providerAlerts.js'
export { SqlTrackedRequests } from '../request/tracking/trackedRequestsSql.js'
export {
  type ConfiguredChain,
  describeUnconfigured,
  findUnconfigured,
  type Unconfigured,
} from '../request/unconfigured.js'
export { ChainWalletSignatures, type ChainWalletSignaturesDeps } from '../signature/chainWalletSignatures.js'
export { PromMetrics, type PromMetricsDeps } from '../telemetry/promMetrics.js'
export { RequestIdGenerator, type RequestTraceIds } from '../telemetry/requestIds.js'
