import type { Transaction } from '@ton/core'
import { externalHash } from '../lane/walletRequest.js'
import { askAccount, keptByNode, transactionsBack } from '../read/accounts.js'
import type { TonNode } from '../rpc/tonApi.js'

/** Messages from a user's wallet to the depository: a transfer of jettons takes three. */
const MOST_MESSAGES = 4

const keptIds = keptByNode<readonly string[]>(1000)

/**
 * Ids by which a user's wallet may name a deposit: the hash of its own transaction, and that of the external message, as the wallet serialised it
 * and in the form of TEP-467 (chains.md tonvm 1 and 3). Empty for a deposit that no wallet began.
 */
export const originIds = (node: TonNode, deposit: Transaction, head: bigint): Promise<readonly string[] | null> =>
  keptIds(node, deposit.hash().toString('hex'), async () => {
    let transaction: Transaction | null = deposit
    for (let count = 0; transaction !== null && count <= MOST_MESSAGES; count += 1) {
      if (transaction.inMessage?.info.type === 'external-in') return idsOf(transaction)
      transaction = await senderOf(node, transaction, head)
    }
    return []
  })

/** The transaction that sent the message of another; null for a message that no account of workchain 0 sent. */
const senderOf = async (node: TonNode, { inMessage }: Transaction, head: bigint): Promise<Transaction | null> => {
  const info = inMessage?.info
  if (info?.type !== 'internal' || info.src.workChain !== 0) return null
  const source = info.src.toRawString()
  const { last } = await askAccount(node, source, head)
  // A transaction is older than its messages, and the next one newer.
  for await (const transaction of transactionsBack(node, source, last, 0n))
    if (transaction.lt < info.createdLt) return transaction
  return null
}

const idsOf = ({ inMessage, raw, hash }: Transaction): readonly string[] => {
  const serialised = raw.refs[0]?.refs[0]?.hash().toString('hex')
  return [hash().toString('hex'), ...(inMessage ? [externalHash(inMessage)] : []), ...(serialised ? [serialised] : [])]
}
