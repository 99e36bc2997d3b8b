/** ABIs, creation bytecode and fixed values of the contracts Causeway talks to, and of the tokens its tests use. */
export { depositorySelectors } from './depositorySelectors.js'
export { depositoryDomain, depositoryTypeHashes, depositoryTypes } from './depositoryTypedData.js'
export { eventTopics } from './eventTopics.js'
export { authorizationTokenAbi, authorizationTokenBytecode } from './generated/authorizationToken.js'
export { batchExecutorAbi, batchExecutorBytecode } from './generated/batchExecutor.js'
export { blockingTokenAbi, blockingTokenBytecode } from './generated/blockingToken.js'
export { callRunnerAbi, callRunnerBytecode } from './generated/callRunner.js'
export { contractAllocatorAbi, contractAllocatorBytecode } from './generated/contractAllocator.js'
export {
  depositAddressFactoryAbi,
  depositAddressFactoryBytecode,
  depositAddressFactoryImmutables,
  depositAddressFactoryRuntimeBytecode,
} from './generated/depositAddressFactory.js'
export {
  depositoryAbi,
  depositoryBytecode,
  depositoryImmutables,
  depositoryRuntimeBytecode,
} from './generated/depository.js'
export {
  depositReceiverAbi,
  depositReceiverBytecode,
  depositReceiverImmutables,
  depositReceiverRuntimeBytecode,
} from './generated/depositReceiver.js'
export { falseTokenAbi, falseTokenBytecode } from './generated/falseToken.js'
export { feeTokenAbi, feeTokenBytecode } from './generated/feeToken.js'
export { fickleTokenAbi, fickleTokenBytecode } from './generated/fickleToken.js'
export {
  fillRouterAbi,
  fillRouterBytecode,
  fillRouterImmutables,
  fillRouterRuntimeBytecode,
} from './generated/fillRouter.js'
export { forcedPaymentAbi, forcedPaymentBytecode } from './generated/forcedPayment.js'
export {
  formerDepositAddressFactoryAbi,
  formerDepositAddressFactoryBytecode,
  formerDepositAddressFactoryImmutables,
  formerDepositAddressFactoryRuntimeBytecode,
} from './generated/formerDepositAddressFactory.js'
export {
  formerDepositReceiverAbi,
  formerDepositReceiverBytecode,
  formerDepositReceiverImmutables,
  formerDepositReceiverRuntimeBytecode,
} from './generated/formerDepositReceiver.js'
export { holdingsProbeAbi, holdingsProbeRuntimeBytecode } from './generated/holdingsProbe.js'
export { multiDepositAbi, multiDepositBytecode } from './generated/multiDeposit.js'
export { noReturnTokenAbi, noReturnTokenBytecode } from './generated/noReturnToken.js'
export { permit2RuntimeBytecode } from './generated/permit2.js'
export {
  permitReceiverAbi,
  permitReceiverBytecode,
  permitReceiverImmutables,
  permitReceiverRuntimeBytecode,
} from './generated/permitReceiver.js'
export {
  permitRouterAbi,
  permitRouterBytecode,
  permitRouterImmutables,
  permitRouterRuntimeBytecode,
} from './generated/permitRouter.js'
export { permitTokenAbi, permitTokenBytecode } from './generated/permitToken.js'
export { reentrantTokenAbi, reentrantTokenBytecode } from './generated/reentrantToken.js'
export { revertingRecipientAbi, revertingRecipientBytecode } from './generated/revertingRecipient.js'
export { scriptedTokenAbi, scriptedTokenBytecode } from './generated/scriptedToken.js'
export { scriptedWalletAbi, scriptedWalletBytecode } from './generated/scriptedWallet.js'
export { scriptedWalletFactoryAbi, scriptedWalletFactoryBytecode } from './generated/scriptedWalletFactory.js'
export { signatureProbeAbi, signatureProbeBytecode } from './generated/signatureProbe.js'
export {
  swapRouterAbi,
  swapRouterBytecode,
  swapRouterImmutables,
  swapRouterRuntimeBytecode,
} from './generated/swapRouter.js'
export { sweepThenPayAbi, sweepThenPayBytecode } from './generated/sweepThenPay.js'
export { testExchangeAbi, testExchangeBytecode } from './generated/testExchange.js'
export { testTokenAbi, testTokenBytecode } from './generated/testToken.js'
export { tetherTokenAbi, tetherTokenBytecode } from './generated/tetherToken.js'
export { transferFloodAbi, transferFloodBytecode } from './generated/transferFlood.js'
export { transferProbeAbi, transferProbeRuntimeBytecode } from './generated/transferProbe.js'
