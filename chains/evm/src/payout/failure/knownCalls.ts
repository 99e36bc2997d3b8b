import { callRunnerAbi, depositoryAbi, fillRouterAbi, permitRouterAbi, swapRouterAbi } from '@causeway/contracts-abi'
import type { AbiFunction } from 'viem'
import { parseAbiItem, toFunctionSelector, toFunctionSignature } from 'viem/utils'
import type { Contracts } from '../../address/addresses.js'

/** Operations of an entry point as versions 0.7 and 0.8 take them. */
const PACKED_OPERATIONS =
  '(address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature)[]'
/** And as version 0.6 does. */
const OPERATIONS =
  '(address sender, uint256 nonce, bytes initCode, bytes callData, uint256 callGasLimit, uint256 verificationGasLimit, uint256 preVerificationGas, uint256 maxFeePerGas, uint256 maxPriorityFeePerGas, bytes paymasterAndData, bytes signature)[]'

const OTHERS = [
  'function transfer(address to, uint256 amount)',
  'function transferFrom(address from, address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  `function handleOps(${PACKED_OPERATIONS} ops, address beneficiary)`,
  `function handleOps(${OPERATIONS} ops, address beneficiary)`,
  'function execute(address target, uint256 value, bytes data)',
  'function executeBatch((address target, uint256 value, bytes data)[] calls)',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)',
] as const

const functions: readonly AbiFunction[] = [
  ...OTHERS.map((text) => parseAbiItem(text) as AbiFunction),
  ...[...depositoryAbi, ...callRunnerAbi, ...fillRouterAbi, ...permitRouterAbi, ...swapRouterAbi].filter(
    (member): member is Extract<typeof member, { type: 'function' }> => member.type === 'function',
  ),
]

const SIGNATURES: ReadonlyMap<string, string> = new Map(
  functions.map((item) => [toFunctionSelector(item), toFunctionSignature(item)]),
)

/** Signature of a function by its selector, where it is one that gasless calls often meet. */
export const functionOf = (selector: string): string | undefined => SIGNATURES.get(selector)

/** Contracts that stand at one address on every chain. */
const PUBLIC: Readonly<Record<string, string | undefined>> = {
  '0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789': 'EntryPoint 0.6',
  '0x0000000071727de22e5e9d8baf0edac6f37da032': 'EntryPoint 0.7',
  '0x4337084d9e255ff0702461cf8895ce9e3b5ff108': 'EntryPoint 0.8',
  '0x433709009b8330fda32311df1c2afa402ed8d009': 'EntryPoint 0.9',
  '0x000000000022d473030f116ddee9f6b43ac78ba3': 'Permit2',
}

/** Name of a contract by its address (lower case), where it is a known one. */
export const contractOf = (address: string, contracts: Contracts): string | undefined => {
  if (address === contracts.depository) return 'Depository'
  if (address === contracts.fillRouter) return 'FillRouter'
  if (address === contracts.permits?.router) return 'PermitRouter'
  if (address === contracts.swap?.router) return 'SwapRouter'
  return PUBLIC[address]
}
