export { moveClock } from '../clock/databaseClock.js'
export { type CoreServices, registerCoreServices } from '../container/coreServices.js'
export type { NotificationOptions } from '../database/notifications.js'
export type { RetentionDays } from '../database/retention.js'
export { coreMigrations } from '../database/schema/coreMigrations.js'
export {
  type ApplicationLimits,
  type ApplicationOptions,
  createApplication,
  type RequestObserver,
} from '../http/application.js'
export { CONNECTION_REFUSALS, type ConnectionLimitOptions, type ConnectionRefusal } from '../http/connectionLimits.js'
export type { DocumentedAnswer } from '../http/documentedAnswers.js'
export type { ErrorResponse } from '../http/errorBody.js'
export { describeError, type LoggedError } from '../http/errorLog.js'
export type { BodyLimits } from '../http/jsonBody.js'
export { type ListenOptions, type RunningServer, startServer } from '../http/listen.js'
export { createLogger, type LoggerOptions } from '../http/logger.js'
export { type OpenApiDocument, type OpenApiOptions, openApiDocument } from '../http/openApi.js'
export { openApiPath } from '../http/openApiOperation.js'
export { redactErrorMessage } from '../http/redact.js'
export { EnvironmentKeys } from '../keys/environmentKeys.js'
export {
  addToKeystore,
  changeKeystorePassphrase,
  createInKeystore,
  listKeystore,
  type OpenKeystore,
  openKeystore,
} from '../keys/keystore.js'
export { type KeystoreEntry, KeystoreError } from '../keys/keystoreFormat.js'
export { InvalidKeyError, parsePrivateKey } from '../keys/privateKeyText.js'
export { CheckedPrices, type CheckedPricesDeps } from '../money/checkedPrices.js'
export { CoinGeckoPriceSource, type CoinGeckoPriceSourceDeps } from '../money/coinGeckoPriceSource.js'
export { ConfiguredCurrencies } from '../money/configuredCurrencies.js'
export { DexPriceSource, type DexPriceSourceDeps } from '../money/dexPriceSource.js'
export { FilePriceSource, type FilePriceSourceDeps } from '../money/filePriceSource.js'
export type { IsListed } from '../money/priceNames.js'
export { PythPriceSource, type PythPriceSourceDeps } from '../money/pythPriceSource.js'
export { CORE_VERSION, fitsCore } from '../plugin/coreCompatibility.js'
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  findEmbeddedPostgres,
  startEmbeddedPostgres,
  stopEmbeddedPostgres,
} from '../postgres/embeddedPostgres.js'
export { findPostgresBinaries } from '../postgres/postgresBinaries.js'
export { type PostgresUse, type PostgresUseOptions, useEmbeddedPostgres } from '../postgres/sharedPostgres.js'
export {
  findProviderAlerts,
  type ProviderAlert,
  type ProviderAlertKind,
  raiseProviderAlert,
  type StoredProviderAlert,
} from '../quorum/providerAlerts.js'
export {
  type ConfiguredChain,
  describeUnconfigured,
  findUnconfigured,
  type Unconfigured,
} from '../request/unconfigured.js'
export { PromMetrics, type PromMetricsDeps } from '../telemetry/promMetrics.js'
export { RequestIdGenerator, type RequestTraceIds } from '../telemetry/requestIds.js'
