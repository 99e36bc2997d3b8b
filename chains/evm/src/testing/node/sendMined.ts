import { setTimeout as delay } from 'node:timers/promises'
import type { Hex } from 'viem'
import type { LocalAccount, LocalEvmChain, SentTransaction } from './localChain.js'

/** What a block says of a transaction that succeeded. */
export interface LocalReceipt {
  readonly transactionHash: Hex
  readonly status: Hex
  readonly gasUsed: Hex
  readonly logs: readonly { readonly address: string; readonly topics: readonly Hex[]; readonly data: Hex }[]
}

/** Signs, sends and waits for the block. Throws when the transaction reverted or is not mined in twenty seconds. */
export const sendMined = async (
  chain: LocalEvmChain,
  account: LocalAccount,
  transaction: SentTransaction,
): Promise<LocalReceipt> => {
  const hash = await chain.send(account, transaction)
  const deadline = Date.now() + 20_000
  while (Date.now() < deadline) {
    const receipt = await chain.rpc<LocalReceipt | null>('eth_getTransactionReceipt', [hash])
    if (receipt !== null && BigInt(receipt.status) === 1n) return receipt
    if (receipt !== null) throw new Error(`The transaction ${hash} reverted.`)
    await delay(10)
  }
  throw new Error(`The transaction ${hash} was not mined.`)
}
