export { feeQuoteCache } from '../cache/feeQuoteCache.js'
export type { AccessToken, AccessTokens } from '../chain/address/accessTokens.js'
export {
  type AddressPool,
  type Arrival,
  type DepositAddress,
  type DepositAddresses,
  type DepositAddressForm,
  type DepositAddressTerms,
  type DerivedAddress,
  type Live,
  NOTHING_LIVE,
  type PooledAddress,
  type SweepSource,
} from '../chain/address/depositAddresses.js'
export type { AccountSumsAt, KeptSums, PartSum } from '../chain/address/keptSums.js'
export { type BalanceQuery, type Balances, spendableAt } from '../chain/balances.js'
export type {
  AddressCheck,
  Capabilities,
  ChainAdapter,
  DepositEvent,
  DepositEvidence,
  DepositRequest,
  DepositState,
  DirectCapability,
  ProviderView,
  RecipientStatus,
  Simulation,
  SimulationFailure,
  SimulationFailureKind,
  Spender,
  TokenFacts,
  TransactionIdCheck,
  WatchPage,
} from '../chain/chainAdapter.js'
export {
  type ChainConfig,
  type ChainDeps,
  type ChainPackage,
  type CurrencyConfig,
  defineChainPackage,
  type QuorumTier,
} from '../chain/chainPackage.js'
export type {
  Approval,
  BlockRef,
  ChainMoney,
  DepositReference,
  Destination,
  FeeQuote,
  StepItemDraft,
  TxRef,
} from '../chain/chainReferences.js'
export {
  type ChainSetup,
  type ContractFunds,
  type ContractKeys,
  type ContractPayer,
  type ContractReport,
  type ContractRequest,
  type ContractSession,
  type ContractStep,
  type PublicChain,
  type ReadToken,
  SetupError,
  type SetupPlace,
  type SignedStep,
  type StepOutcome,
} from '../chain/chainSetup.js'
export type { Diagnosis, DiagnosisRequest } from '../chain/endpoint/diagnosis.js'
export {
  countProviders,
  type Disagreement,
  type EndpointHealth,
  type EndpointState,
  providerOf,
} from '../chain/endpoint/endpointHealth.js'
export type { RpcEndpoint } from '../chain/endpoint/rpcEndpoint.js'
export type {
  AttemptState,
  BroadcastResult,
  Delegation,
  LaneAdapter,
  LanePace,
  LanePlace,
  LaneReading,
  LaneValidity,
  OutgoingTransaction,
  Payout,
  PayoutCall,
  PayoutPurpose,
  PayoutVerdict,
  PreparedAttempt,
  SentAttempt,
  SignedAttempt,
  WithdrawAuthorization,
} from '../chain/laneAdapter.js'
export {
  type DecodedRevert,
  type ExplainFailure,
  type FailureFrame,
  type FailureTree,
  REVERT_TYPES,
} from '../chain/origin/failureTree.js'
export {
  PERMIT_KINDS,
  type PermitApprovals,
  type PermitForm,
  type PermitKind,
  type PermitTerms,
  type PermitWay,
  type SignedDeposits,
  type SignedPermit,
} from '../chain/origin/signedDeposits.js'
export type { KeyPurpose, MasterPurpose, Signer } from '../chain/signer.js'
export {
  type DirectCandidate,
  type DirectExecution,
  type DirectFailure,
  type DirectRequest,
  readSwapOrder,
  type SwapCapability,
  type SwapLimits,
  type SwapOffer,
  type SwapOrder,
  type SwapRequest,
  swapOrderJson,
} from '../chain/swaps.js'
export { boundedSigner, SIGN_TIMEOUT_MS } from '../keys/boundedSigner.js'
export { createEd25519Signer, ed25519Address } from '../keys/ed25519Signer.js'
export { recoverPublicKey, type Secp256k1Curve, secp256k1Curve, signDigest } from '../keys/secp256k1Curve.js'
export { createSecp256k1Signer } from '../keys/secp256k1Signer.js'
export { signChecked } from '../keys/signChecked.js'
export { shownTokenText } from '../money/currency/shownTokenText.js'
export {
  PRICE_SOURCES,
  PRICES,
  type Price,
  type PriceAnswer,
  type PricePace,
  type PriceSource,
  type Prices,
} from '../money/prices/priceSource.js'
export {
  NONCE_MAPPING_DOMAIN,
  type NonceMappingDomain,
  type NonceMappingMessage,
  type NonceMappingVersion,
  nonceMappingDigest,
  nonceMappingTypedData,
  type TypedField,
} from '../nonceMapping/nonceMappingMessage.js'
export type {
  MappingOwner,
  NewNonceMapping,
  NonceKey,
  NonceMapping,
  NonceMappings,
  NonceRegistration,
} from '../nonceMapping/nonceMappings.js'
export {
  isMappingTimely,
  isNonceOpen,
  LATE_MAPPING_MS,
  NONCE_AHEAD_MS,
  NONCE_PAST_MS,
} from '../nonceMapping/nonceWindow.js'
export { computeOnchainId } from '../order/computeOnchainId.js'
export { computeOrderId } from '../order/computeOrderId.js'
export type { AddressCodec, VmCodec } from '../order/encoding/addressCodec.js'
export { tonHash } from '../order/encoding/tonHash.js'
export {
  type AddressCodecs,
  addressCodecOf,
  decodeAddress,
  encodeAddress,
  encodeTransactionId,
  vmCodecs,
} from '../order/encoding/vmCodecs.js'
export { keccak256 } from '../order/keccak256.js'
export {
  type Order,
  type OrderFee,
  type OrderFromSchema,
  type OrderInput,
  type OrderInputPayment,
  type OrderInputRefund,
  type OrderOutput,
  type OrderOutputPayment,
  OrderSchema,
} from '../order/order.js'
export { decodeOrderCall, encodeOrderCall, type OrderCall } from '../order/orderCall.js'
export { OrderEncodingError } from '../order/orderEncodingError.js'
export { fillContractOf, orderExtraData } from '../order/orderExtraData.js'
export { orderSignerAddress, recoverOrderSigner, signOrderId } from '../order/orderSignature.js'
export { largestPayable, leastPayable } from '../payout/payable.js'
export {
  DEFAULT_QUORUM_ABOVE_USD,
  hasQuorum,
  neededProviders,
  type QuorumDemand,
  quorumDemand,
  requireQuorum,
  trustedProviders,
} from '../quorum/quorumTiers.js'
export { accountForm } from '../signature/compactSignature.js'
export {
  type ContractWallets,
  MAX_SIGNATURE_BYTES,
  type WalletAnswer,
  type WalletQuestion,
} from '../signature/contractWallets.js'
export { recoverAddress } from '../signature/recoverAddress.js'
export { compressPublicKey, derSignature, isSecretKey, publicKeyOf } from '../signature/secp256k1.js'
