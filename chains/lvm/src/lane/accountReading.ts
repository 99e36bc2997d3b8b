import { larger } from '@causeway/core'
import {
  type AccountReading,
  type LaneListing,
  type LaneMoment,
  type LaneSince,
  listBack,
  type SequenceChain,
} from '@causeway/core/chain-kit'
import { isExpired, type LedgerTransaction, readTransaction } from '../read/transactions.js'
import { askApiKey, askNextNonce } from '../rpc/accounts.js'
import type { AccountTokens } from '../rpc/accountTokens.js'
import { askHead } from '../rpc/blocks.js'
import { hasAll, knownSince } from '../rpc/history.js'
import type { LighterNode } from '../rpc/lighterNode.js'
import { accountPages, askTransaction } from '../rpc/transactions.js'
import type { ApiKeys } from './apiKeys.js'
import { sentOf } from './sentTransaction.js'

export interface LaneReadingDeps {
  readonly tokens: Pick<AccountTokens, 'using'>
  readonly keys: Pick<ApiKeys, 'entryOf'>
}

/** Where a node stands: a block is final, and its time is the time of payments (chains.md lvm 4). */
export const askMoment = async (node: LighterNode): Promise<LaneMoment & { readonly seconds: number }> => {
  const { height, time } = await askHead(node)
  return { height, time: { newest: BigInt(time), final: BigInt(time) }, seconds: time }
}

/** How the accounts of a lane are read: by hashes, by the numbers of their API keys, and by their lists. */
export const laneReading = ({
  tokens,
  keys,
}: LaneReadingDeps): Pick<SequenceChain<LighterNode>, 'read' | 'list' | 'remembers'> => ({
  read: async (node, { account, attempts }) => {
    // The head first: a payment that is executed between two questions must not count as dead.
    const { seconds, ...moment } = await askMoment(node)
    const [next, found] = await Promise.all([
      askNext(node, account, keys),
      Promise.all(attempts.map(({ txId }) => askTransaction(node, txId))),
    ])
    const transactions = found.map((json) => {
      const transaction = json === null ? null : readTransaction(json)
      return transaction === null || mayStillRun(transaction, seconds, next) ? null : sentOf(transaction)
    })
    return { moment, next, transactions }
  },
  list: (node, account, since) =>
    tokens.using(account, (token) => listSent(node, { account, token, since: since ?? { height: 0n }, keys })),
  remembers: hasAll,
})

/**
 * Whether a transaction that did not run may be taken by its bytes again: it ended in no block, or its number is still to be taken. Then only
 * its expiry tells that it is dead.
 */
const mayStillRun = (transaction: LedgerTransaction, seconds: number, next: AccountReading['next']): boolean => {
  const { status, block, nonce } = transaction
  if (status === 'failure') return block === null || (next?.final ?? 0n) <= nonce
  return isExpired(transaction, seconds)
}

/** The number that the API key of an account takes next, in committed transactions and with those that wait; null without a key. */
const askNext = async (node: LighterNode, account: string, keys: Pick<ApiKeys, 'entryOf'>) => {
  const apiKeyIndex = keys.entryOf(account)?.apiKeyIndex
  if (apiKeyIndex === undefined) return null
  const key = await askApiKey(node, { account, apiKeyIndex })
  if (key === null) return null
  return { final: key.nonce, newest: larger(key.nonce, await askNextNonce(node, { account, apiKeyIndex })) }
}

interface SentQuestion {
  readonly account: string
  readonly token: string
  readonly since: LaneSince
  readonly keys: Pick<ApiKeys, 'entryOf'>
}

/** Transactions of an account's API key, newest first, of every type: each uses a number. */
const listSent = async (node: LighterNode, { account, token, since, keys }: SentQuestion): Promise<LaneListing> => {
  const apiKeyIndex = keys.entryOf(account)?.apiKeyIndex
  const first = 'height' in since ? since.height + 1n : 1n
  const oldest = await knownSince(node, first)
  return listBack({
    pages: pagesBack(node, { account, token, first }),
    since,
    sentOf: (transaction) =>
      transaction.account === account && transaction.apiKeyIndex === apiKeyIndex && transaction.block !== null
        ? sentOf(transaction)
        : null,
    isFirst: () => false,
    gap: oldest > first ? `a node has no block ${first}` : null,
  })
}

async function* pagesBack(
  node: LighterNode,
  { account, token, first }: { readonly account: string; readonly token: string; readonly first: bigint },
) {
  for await (const page of accountPages(node, { account, token })) {
    yield page.map(readTransaction).filter(({ block }) => block === null || block.height >= first)
    if (page.some(({ block_height }) => block_height !== '0' && BigInt(block_height) < first)) return
  }
}
