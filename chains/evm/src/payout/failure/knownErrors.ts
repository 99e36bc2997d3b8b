import {
  callRunnerAbi,
  depositAddressFactoryAbi,
  depositoryAbi,
  fillRouterAbi,
  permitRouterAbi,
  swapRouterAbi,
} from '@causeway/contracts-abi'
import type { Abi } from 'viem'
import { parseAbi } from 'viem/utils'
import { erc20Abi } from '../contracts/abis.js'

/** Tokens and what guards their transfers (ERC-6093, ERC-2612). */
const TOKEN_ERRORS = [
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
  'error ERC20InvalidSender(address sender)',
  'error ERC20InvalidReceiver(address receiver)',
  'error ERC20InvalidApprover(address approver)',
  'error ERC20InvalidSpender(address spender)',
  'error ERC2612ExpiredSignature(uint256 deadline)',
  'error ERC2612InvalidSigner(address signer, address owner)',
  'error SafeERC20FailedOperation(address token)',
  'error OwnableUnauthorizedAccount(address account)',
  'error EnforcedPause()',
  'error FailedCall()',
  'error FailedInnerCall()',
  'error InsufficientBalance(uint256 balance, uint256 needed)',
  'error ECDSAInvalidSignature()',
  'error ECDSAInvalidSignatureLength(uint256 length)',
  'error ECDSAInvalidSignatureS(bytes32 s)',
] as const

/** The entry point of user operations, of its versions 0.6 to 0.8, and what accounts made for it answer (ERC-4337). */
const ACCOUNT_ERRORS = [
  'error FailedOp(uint256 opIndex, string reason)',
  'error FailedOpWithRevert(uint256 opIndex, string reason, bytes inner)',
  'error PostOpReverted(bytes returnData)',
  'error SignatureValidationFailed(address aggregator)',
  'error InvalidPaymaster(address paymaster)',
  'error InvalidPaymasterData(uint256 paymasterAndDataLength)',
  'error InvalidPaymasterSignatureLength(uint256 dataLength, uint256 pmSignatureLength)',
  'error InvalidBeneficiary(address beneficiary)',
  'error InvalidShortString()',
  'error Reentrancy()',
  'error InternalFunction()',
  'error Eip7702SenderNotDelegate(address sender)',
  'error Eip7702SenderWithoutCode(address sender)',
  'error ExecuteError(uint256 index, bytes reason)',
  'error NotFromEntryPoint(address msgSender, address entity, address entryPoint)',
] as const

/** Permit2. */
const PERMIT_ERRORS = [
  'error InvalidNonce()',
  'error SignatureExpired(uint256 signatureDeadline)',
  'error AllowanceExpired(uint256 deadline)',
  'error InsufficientAllowance(uint256 amount)',
  'error InvalidAmount(uint256 maxAmount)',
  'error LengthMismatch()',
  'error ExcessiveInvalidation()',
  'error InvalidSigner()',
  'error InvalidSignature()',
  'error InvalidSignatureLength()',
  'error InvalidContractSignature()',
] as const

const OWN = [
  ...depositoryAbi,
  ...depositAddressFactoryAbi,
  ...callRunnerAbi,
  ...fillRouterAbi,
  ...swapRouterAbi,
  ...permitRouterAbi,
  ...erc20Abi,
]

/** Errors that are known by name: of this service's contracts and of those that gasless calls run into. A Safe answers in texts. */
export const KNOWN_ERRORS: Abi = [
  ...OWN.filter((member) => member.type === 'error'),
  ...parseAbi(TOKEN_ERRORS),
  ...parseAbi(ACCOUNT_ERRORS),
  ...parseAbi(PERMIT_ERRORS),
]

/** Errors that hand on what a call within said, and the place of that among their arguments. */
export const WRAPPERS: Readonly<Record<string, number | undefined>> = {
  CallFailed: 1,
  SwapFailed: 1,
  ExecuteError: 1,
  FailedOpWithRevert: 2,
  PostOpReverted: 0,
}

/** Codes of an entry point in what a user operation would fail by (ERC-4337). */
export const ENTRY_POINT_CODES: Readonly<Record<string, string | undefined>> = {
  AA10: 'the sender exists already',
  AA13: 'the sender could not be created',
  AA20: 'the sender is not deployed',
  AA21: 'the sender did not pay what the operation may cost; set its gas prices to zero',
  AA22: 'the operation has expired or is not valid yet',
  AA23: 'the account refused it while it validated it',
  AA24: 'the signature is not the owner’s',
  AA25: 'the nonce of the account is another one',
  AA26: 'its validation takes more gas than its limit',
  AA31: 'the deposit of the paymaster is too low',
  AA33: 'the paymaster refused it',
  AA34: 'the paymaster’s signature is not valid',
  AA40: 'its validation takes more gas than its limit',
  AA41: 'too little verification gas',
  AA51: 'its gas costs more than was paid before',
  AA90: 'the beneficiary is not an account',
  AA91: 'the beneficiary could not be paid',
  AA94: 'a gas value of the operation is too large',
  AA95: 'too little gas for its own limits',
}

/** Codes of a Safe (its contracts' list of errors). */
export const SAFE_CODES: Readonly<Record<string, string | undefined>> = {
  GS010: 'too little gas for the transaction of the Safe',
  GS013: 'the transaction of the Safe fails, and nothing allows that',
  GS020: 'too few signatures',
  GS025: 'a hash was not approved',
  GS026: 'a signature is not an owner’s',
  GS030: 'only owners may approve',
  GS031: 'only the Safe itself may do that',
}
