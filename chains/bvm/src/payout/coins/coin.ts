/** An output of a transaction; `txId` as nodes show it. */
export interface Outpoint {
  readonly txId: string
  readonly index: number
}

/** An output that nobody spent yet. */
export interface Coin extends Outpoint {
  /** Satoshis. */
  readonly value: bigint
  readonly script: Uint8Array
  /** Height of its block; null while it waits in the mempool. */
  readonly height: bigint | null
  /** The newest outputs of a coinbase cannot be spent. */
  readonly coinbase?: boolean
}

/** `txid:index`, the usual spelling. */
export const outpointText = ({ txId, index }: Outpoint): string => `${txId}:${index}`

/** The guard of a payout that spends an outpoint: no other payout may (architecture.md 3). */
export const coinGuard = (outpoint: Outpoint): string => `coin:${outpointText(outpoint)}`

/** Outpoint of a guard; null for guards of another kind. */
export const outpointOfGuard = (guard: string): Outpoint | null => {
  const [, txId, index] = /^coin:([0-9a-f]{64}):(\d{1,10})$/.exec(guard) ?? []
  return txId === undefined || index === undefined ? null : { txId, index: Number(index) }
}

/** Blocks before the outputs of a coinbase can be spent, its own counted. */
export const COINBASE_MATURITY = 100n

/** Reads a text of `outpointText`. */
export const readOutpoint = (text: string): Outpoint => {
  const [txId = '', index] = text.split(':')
  return { txId, index: Number(index) }
}
