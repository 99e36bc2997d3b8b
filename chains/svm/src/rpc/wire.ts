import type { RpcCall } from '@causeway/core/chain-kit'

/** Members this package reads of what nodes return. Slots, heights and lamports come as JSON numbers. */
export interface RpcContext<Value> {
  readonly context: { readonly slot: number }
  readonly value: Value
}

export interface RpcLatestBlockhash {
  readonly blockhash: string
  readonly lastValidBlockHeight: number
}

export interface RpcEpochInfo {
  readonly absoluteSlot: number
  readonly blockHeight: number
}

export interface RpcAccount {
  readonly lamports: number
  readonly owner: string
  readonly executable: boolean
  /** Base64 text and the word `base64`. */
  readonly data: readonly [string, string]
  readonly space?: number
}

export interface RpcBlock {
  readonly blockhash: string
  readonly blockHeight: number | null
  readonly blockTime: number | null
  readonly parentSlot: number
  readonly previousBlockhash: string
}

/** A transaction of a block, told by its accounts: those of lookup tables too, in the order that balances use. */
export interface RpcBlockTransaction {
  readonly transaction: {
    readonly signatures: readonly string[]
    readonly accountKeys: readonly { readonly pubkey: string; readonly signer: boolean }[]
  }
  readonly meta: Pick<
    RpcTransactionMeta,
    'err' | 'fee' | 'preBalances' | 'postBalances' | 'preTokenBalances' | 'postTokenBalances'
  >
}

export interface RpcBlockWithAccounts extends RpcBlock {
  readonly transactions?: readonly RpcBlockTransaction[]
}

export interface RpcSignature {
  readonly signature: string
  readonly slot: number
  readonly err: unknown
  readonly blockTime?: number | null
  readonly confirmationStatus?: Commitment | null
}

export interface RpcSignatureStatus {
  readonly slot: number
  readonly err: unknown
  readonly confirmationStatus: Commitment | null
}

export type Commitment = 'processed' | 'confirmed' | 'finalized'

export interface RpcInstruction {
  readonly programIdIndex: number
  readonly accounts: readonly number[]
  /** Base58. */
  readonly data: string
}

export interface RpcTokenBalance {
  readonly accountIndex: number
  readonly mint: string
  readonly owner?: string
  readonly programId?: string
  readonly uiTokenAmount: { readonly amount: string; readonly decimals: number }
}

export interface RpcTransactionMeta {
  readonly err: unknown
  readonly fee: number
  readonly preBalances: readonly number[]
  readonly postBalances: readonly number[]
  readonly preTokenBalances: readonly RpcTokenBalance[]
  readonly postTokenBalances: readonly RpcTokenBalance[]
  readonly innerInstructions?:
    | readonly { readonly index: number; readonly instructions: readonly RpcInstruction[] }[]
    | null
  readonly loadedAddresses?: { readonly writable: readonly string[]; readonly readonly: readonly string[] } | null
  readonly logMessages?: readonly string[] | null
}

export interface RpcTransaction {
  readonly slot: number
  readonly blockTime?: number | null
  readonly meta: RpcTransactionMeta
  readonly transaction: {
    readonly signatures: readonly string[]
    readonly message: {
      readonly accountKeys: readonly string[]
      readonly instructions: readonly RpcInstruction[]
    }
  }
}

/**
 * Every version of transactions there may ever be: a node refuses those above what is asked for. It shows version 1 (on the main network
 * since September 2026) as it shows the others, with all accounts in the message.
 */
const ANY_VERSION = 255

/** A transaction with what it changed; null when the node does not know it at this commitment. */
export const transactionCall = (signature: string, commitment: 'confirmed' | 'finalized' = 'confirmed'): RpcCall => ({
  method: 'getTransaction',
  params: [signature, { commitment, encoding: 'json', maxSupportedTransactionVersion: ANY_VERSION }],
})

/** A block without its transactions. */
export const blockCall = (slot: bigint, commitment: 'confirmed' | 'finalized' = 'confirmed'): RpcCall => ({
  method: 'getBlock',
  params: [
    Number(slot),
    {
      commitment,
      encoding: 'json',
      transactionDetails: 'none',
      rewards: false,
      maxSupportedTransactionVersion: ANY_VERSION,
    },
  ],
})

/** A confirmed block with the accounts and balances of its transactions, without their instructions. */
export const blockWithAccountsCall = (slot: bigint): RpcCall => ({
  method: 'getBlock',
  params: [
    Number(slot),
    {
      commitment: 'confirmed',
      encoding: 'json',
      transactionDetails: 'accounts',
      rewards: false,
      maxSupportedTransactionVersion: ANY_VERSION,
    },
  ],
})

/** Slots of the next confirmed blocks, from a slot on. */
export const blocksCall = (from: bigint, most: number): RpcCall => ({
  method: 'getBlocksWithLimit',
  params: [Number(from), most, { commitment: 'confirmed' }],
})

/** Newest block hash at a commitment; its context names the slot whose block has this hash. */
export const latestBlockhashCall = (commitment: Commitment): RpcCall => ({
  method: 'getLatestBlockhash',
  params: [{ commitment }],
})

/** Newest block at a commitment: its slot, and its height, which counts blocks and not slots. */
export const epochCall = (commitment: Commitment): RpcCall => ({ method: 'getEpochInfo', params: [{ commitment }] })

export const slotCall = (commitment: Commitment): RpcCall => ({ method: 'getSlot', params: [{ commitment }] })
