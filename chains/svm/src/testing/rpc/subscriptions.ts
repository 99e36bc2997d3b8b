import type { NodeSocket } from '@causeway/core/testing'
import type { Executed } from '../bank/bank.js'
import type { Commitment } from '../bank/slots.js'
import type { LocalNode, NodeEvent } from '../node/localNode.js'
import { encodeAccount } from './accountAnswer.js'

interface Subscription {
  readonly id: number
  readonly socket: NodeSocket
  readonly method: string
  readonly subject: unknown
  readonly commitment: Commitment
}

interface Call {
  readonly id?: number | string
  readonly method?: string
  readonly params?: readonly unknown[]
}

interface Untold {
  readonly executed: Executed
  readonly levels: Set<Commitment>
}

const COMMITMENTS: readonly Commitment[] = ['processed', 'confirmed', 'finalized']

const NOTIFICATIONS: Readonly<Record<string, string>> = {
  slotSubscribe: 'slotNotification',
  signatureSubscribe: 'signatureNotification',
  logsSubscribe: 'logsNotification',
  accountSubscribe: 'accountNotification',
}

const commitmentOf = (options: unknown): Commitment => Reflect.get(Object(options), 'commitment') ?? 'finalized'

/** The websocket side of a node: tells of slots, signatures, logs and accounts once a commitment shows them. */
export class Subscriptions {
  readonly #node: LocalNode
  readonly #all = new Map<number, Subscription>()
  /** Executed and not yet told at every commitment, with the commitments still to come. */
  #recent: Untold[] = []
  #nextId = 1

  constructor(node: LocalNode) {
    this.#node = node
    node.onEvent((event) => this.#hear(event))
  }

  /** Opens a connection. Returns the reader of its messages. */
  open(socket: NodeSocket): (text: string) => void {
    socket.onClose(() => {
      for (const [id, subscription] of this.#all) if (subscription.socket === socket) this.#all.delete(id)
    })
    return (text) => this.#answer(socket, text)
  }

  #answer(socket: NodeSocket, text: string): void {
    let call: Call
    try {
      call = JSON.parse(text) as Call
    } catch {
      return
    }
    const { id, method = '', params = [] } = call
    if (id === undefined) return
    if (NOTIFICATIONS[method] !== undefined) this.#subscribe(socket, id, method, params)
    else if (method.endsWith('Unsubscribe')) send(socket, { id, result: this.#all.delete(Number(params[0])) })
    else send(socket, { id, error: { code: -32601, message: 'Method not found' } })
  }

  #subscribe(
    socket: NodeSocket,
    callId: number | string,
    method: string,
    [subject, options]: readonly unknown[],
  ): void {
    const id = this.#nextId++
    const subscription: Subscription = { id, socket, method, subject, commitment: commitmentOf(options) }
    this.#all.set(id, subscription)
    send(socket, { id: callId, result: id })
    if (method !== 'signatureSubscribe') return
    const executed = this.#node.find(String(subject), subscription.commitment)
    if (executed !== null) this.#notifySignature(subscription, executed)
  }

  #hear(event: NodeEvent): void {
    if (event.kind === 'executed') this.#recent.push({ executed: event.executed, levels: new Set(COMMITMENTS) })
    if (event.kind === 'dropped') {
      this.#recent = this.#recent.filter(
        ({ executed }) => this.#node.bank.executed(executed.wire.signature) === executed,
      )
    }
    if (event.kind === 'slot') this.#tellSlot()
    for (const commitment of COMMITMENTS) this.#tellExecuted(commitment)
    this.#recent = this.#recent.filter(({ levels }) => levels.size > 0)
  }

  #tellSlot(): void {
    const { slots } = this.#node
    const { number, parent } = slots.newestBlock('processed')
    for (const subscription of this.#of('slotSubscribe')) {
      this.#notify(subscription, { slot: number, parent, root: slots.newest('finalized') })
    }
  }

  #tellExecuted(commitment: Commitment): void {
    const newest = this.#node.slots.newest(commitment)
    for (const { executed, levels } of this.#recent) {
      if (executed.slot > newest || !levels.delete(commitment)) continue
      for (const subscription of [...this.#all.values()]) {
        if (subscription.commitment === commitment) this.#tell(subscription, executed)
      }
    }
  }

  #tell(subscription: Subscription, executed: Executed): void {
    const { method, subject } = subscription
    const { wire, err, logs } = executed
    if (method === 'signatureSubscribe' && subject === wire.signature) this.#notifySignature(subscription, executed)
    if (method === 'accountSubscribe' && wire.keys.includes(String(subject))) {
      this.#notifyValue(subscription, executed, encodeAccount(this.#node.bank.account(String(subject))))
    }
    if (method === 'logsSubscribe' && mentions(subject, wire.keys)) {
      this.#notifyValue(subscription, executed, { signature: wire.signature, err, logs })
    }
  }

  #notifySignature(subscription: Subscription, executed: Executed): void {
    this.#notifyValue(subscription, executed, { err: executed.err })
    this.#all.delete(subscription.id)
  }

  #notifyValue(subscription: Subscription, { slot }: Executed, value: unknown): void {
    this.#notify(subscription, { context: { slot }, value })
  }

  #notify({ id, socket, method }: Subscription, result: unknown): void {
    send(socket, { method: NOTIFICATIONS[method], params: { result, subscription: id } })
  }

  #of(method: string): readonly Subscription[] {
    return [...this.#all.values()].filter((subscription) => subscription.method === method)
  }
}

const send = (socket: NodeSocket, message: object): void => socket.send({ jsonrpc: '2.0', ...message })

const mentions = (subject: unknown, keys: readonly string[]): boolean => {
  if (subject === 'all' || subject === 'allWithVotes') return true
  const named: unknown = Reflect.get(Object(subject), 'mentions')
  return Array.isArray(named) && named.some((address) => keys.includes(String(address)))
}
