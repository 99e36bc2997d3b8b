import type { Hex } from '@causeway/core'

/** Members this package reads of what nodes return. Quantities are hex text. */
export interface RpcBlock {
  readonly number: Hex
  readonly hash: Hex
  readonly parentHash: Hex
  readonly timestamp: Hex
  readonly baseFeePerGas?: Hex
  readonly transactions?: readonly (Hex | RpcTransaction)[]
}

export interface RpcLog {
  readonly address: string
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly blockNumber: Hex
  readonly blockHash: Hex
  readonly transactionHash: Hex
  readonly logIndex: Hex
  readonly removed?: boolean
}

export interface RpcReceipt {
  readonly transactionHash: Hex
  readonly blockHash: Hex
  readonly blockNumber: Hex
  /** Null where the node does not tell (`receipts.ts`). */
  readonly status: Hex | null
  readonly gasUsed: Hex
  readonly effectiveGasPrice?: Hex | null
  /** OP Stack: fee for data on the parent chain, wei. */
  readonly l1Fee?: Hex | null
  /** OP Stack since Isthmus. */
  readonly operatorFeeScalar?: Hex | null
  readonly operatorFeeConstant?: Hex | null
  /** OP Stack since Jovian. */
  readonly daFootprintGasScalar?: Hex | null
  readonly from: string
  readonly to: string | null
  readonly logs: readonly RpcLog[]
}

export interface RpcTransaction {
  readonly hash: Hex
  readonly from: string
  readonly to: string | null
  readonly nonce: Hex
  readonly input: Hex
  readonly value: Hex
  readonly gas?: Hex
  readonly gasPrice?: Hex
  readonly maxFeePerGas?: Hex
  readonly maxPriorityFeePerGas?: Hex
  readonly blockNumber?: Hex | null
  readonly blockHash?: Hex | null
}

/** Hex quantity of a number, as JSON-RPC wants it. */
export const quantity = (value: bigint): Hex => `0x${value.toString(16)}`

/** What the record keeps of a transaction (wire.md 3.1 TX `data`). */
export const txDataOf = (tx: RpcTransaction) => ({
  from: tx.from.toLowerCase(),
  to: tx.to?.toLowerCase() ?? '',
  data: tx.input,
  value: BigInt(tx.value).toString(),
})
