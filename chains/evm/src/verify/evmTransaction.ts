/** One transaction as the user's wallet gets it (wire.md A.5 evm). Its fee fields are the wallet's to limit. */
export interface EvmTransaction {
  readonly to: string
  readonly data: string
  readonly value: bigint
}
