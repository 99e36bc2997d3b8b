import type { RpcReceipt, RpcTransaction } from './wire.js'

/** A receipt as nodes show it: before Byzantium without `status`, of some nodes with members that are null. */
export interface ShownReceipt extends Omit<RpcReceipt, 'blockHash' | 'blockNumber' | 'status' | 'logs'> {
  readonly blockHash?: RpcReceipt['blockHash'] | null
  readonly blockNumber?: RpcReceipt['blockNumber'] | null
  readonly status?: RpcReceipt['status'] | undefined
  readonly logs?: RpcReceipt['logs'] | null
}

/** The receipt of a transaction that is in a block; null where it is in none yet, or the node knows none. */
export const minedReceipt = (shown: ShownReceipt | null | undefined): RpcReceipt | null => {
  if (shown === null || shown === undefined) return null
  const { blockHash = null, blockNumber = null, status = null } = shown
  if (blockHash === null || blockNumber === null) return null
  const logs = shown.logs ?? []
  // A failed transaction has no logs.
  return { ...shown, blockHash, blockNumber, logs, status: status ?? (logs.length > 0 ? '0x1' : null) }
}

/** True where the receipt says that the transaction did what it was to do. */
export const hasSucceeded = ({ status }: RpcReceipt): boolean => status !== null && BigInt(status) === 1n

/** True where it says that all was undone. Neither is true of a receipt without status and logs. */
export const hasFailed = ({ status }: RpcReceipt): boolean => status !== null && BigInt(status) !== 1n

const MILLION = 1_000_000n

/**
 * Native fee that a mined transaction paid, wei. `gasUsed` holds the part for a parent chain on Arbitrum and zkSync; OP Stack chains add
 * `l1Fee` and the operator fee. `tx` tells the price where the receipt does not.
 */
export const feeOf = (receipt: RpcReceipt, tx: Pick<RpcTransaction, 'gasPrice' | 'maxFeePerGas'> | null): bigint => {
  const price = receipt.effectiveGasPrice ?? tx?.gasPrice ?? tx?.maxFeePerGas ?? '0x0'
  return BigInt(receipt.gasUsed) * BigInt(price) + BigInt(receipt.l1Fee ?? '0x0') + operatorFeeOf(receipt)
}

/** By the formula of Jovian, whose receipts have `daFootprintGasScalar`, else by that of Isthmus. */
const operatorFeeOf = ({
  gasUsed,
  operatorFeeScalar,
  operatorFeeConstant,
  daFootprintGasScalar,
}: RpcReceipt): bigint => {
  const scaled = BigInt(gasUsed) * BigInt(operatorFeeScalar ?? '0x0')
  const isJovian = daFootprintGasScalar !== undefined && daFootprintGasScalar !== null
  return (isJovian ? scaled * 100n : scaled / MILLION) + BigInt(operatorFeeConstant ?? '0x0')
}
