import { type NodeDialect, type NodeSocket, Subscribers } from '@causeway/core/testing'
import type { ExchangeBlock } from '../engine/exchangeTx.js'
import { updatesOf } from './info.js'
import { addressIn, type ExchangeNode, type Request } from './request.js'
import { accountsIn, type ShownUpdate, updatesIn } from './updates.js'

const CHANNEL = 'userNonFundingLedgerUpdates'

/** Updates of an account as a message of the websocket. */
const eventOf = (user: string, nonFundingLedgerUpdates: readonly ShownUpdate[], more: object = {}) => ({
  channel: CHANNEL,
  data: { ...more, user, nonFundingLedgerUpdates },
})

/** Serves subscriptions of ledger updates. */
export const updatesSocket = (node: ExchangeNode): NonNullable<NodeDialect['socket']> => {
  const subscribers = new Subscribers<Set<string>>()
  node.view.onBlock((block) => announce(subscribers, block))
  return (socket) => {
    const users = subscribers.add(socket, new Set<string>())
    return (text) => answer(node, socket, users, text)
  }
}

const announce = (subscribers: Subscribers<Set<string>>, block: ExchangeBlock): void => {
  for (const account of accountsIn(block)) {
    const event = eventOf(
      account,
      block.transactions.flatMap((tx) => updatesIn(tx, account)),
    )
    subscribers.send((users) => (users.has(account) ? event : undefined))
  }
}

const answer = async (node: ExchangeNode, socket: NodeSocket, users: Set<string>, text: string): Promise<void> => {
  const { method, subscription }: Request = Object(JSON.parse(text))
  if (method === 'ping') return socket.send({ channel: 'pong' })
  const asked: Request = Object(subscription)
  if (!['subscribe', 'unsubscribe'].includes(String(method)) || asked.type !== CHANNEL)
    return socket.send({ channel: 'error', data: `Invalid subscription ${JSON.stringify(subscription)}` })
  const user = addressIn(asked, 'user')
  await node.run(String(method), () => (method === 'subscribe' ? users.add(user) : users.delete(user)))
  socket.send({ channel: 'subscriptionResponse', data: { method, subscription: { ...asked, user } } })
  if (method === 'subscribe') socket.send(eventOf(user, updatesOf(node, user), { isSnapshot: true }))
}
