import type { Caller, OutboxEvent } from '@causeway/core/plugin'
import type { WebSocket } from 'ws'
import { BadMessage, type ClientMessage, readClientMessage, readType } from './clientMessage.js'
import { CLOSE } from './closeCodes.js'
import type { Topic } from './eventFeed.js'
import type { RealtimeOptions } from './options.js'
import {
  type EventTexts,
  errorMessage,
  ownsEvent,
  readyMessage,
  subscribedMessage,
  unsubscribedMessage,
} from './serverMessages.js'
import { type Audience, beginSubscription, type SubscriptionDeps } from './subscription.js'

export interface ConnectionDeps extends SubscriptionDeps {
  readonly texts: EventTexts
  readonly options: RealtimeOptions
  onEvent(): void
  onClose(code: number): void
}

/** Bad messages in a row after which a client is sent away (wire.md H.4). */
const BAD_MESSAGES = 3
/** How long a client may take to say goodbye. */
const GOODBYE_MS = 2_000

/** One client: its subscriptions, what it may send, and what waits for it. */
export class Connection {
  readonly caller: Caller
  readonly #socket: WebSocket
  readonly #deps: ConnectionDeps
  readonly #topics = new Set<Topic>()
  /** Listens to every topic of this client, so that an event of two of them is told once. */
  readonly #listener = { tell: (event: OutboxEvent) => this.#tell(event) }
  /** Messages are served one after the other. */
  #work: Promise<void> = Promise.resolve()
  #allowance: number
  #allowedAt = performance.now()
  #badInARow = 0
  #answered = true
  #idleSince = performance.now()
  #unsent = 0
  #drains: (() => void)[] = []
  #closing = false

  constructor(socket: WebSocket, caller: Caller, deps: ConnectionDeps) {
    this.caller = caller
    this.#socket = socket
    this.#deps = deps
    this.#allowance = this.#burst
    socket.on('message', (data, isBinary) => {
      this.#receive(() => {
        const text = isBinary ? null : data.toString()
        this.#work = this.#work.then(() => this.#serve(text))
      })
    })
    socket.on('ping', (data) => this.#receive(() => this.#put(() => socket.pong(data, false, this.#sent))))
    socket.on('pong', () => {
      this.#answered = true
    })
    // What is wrong with a frame closes the socket with the code of the protocol (1007, 1009).
    socket.on('error', () => undefined)
    const pinging = setInterval(() => this.#check(), deps.options.pingSeconds * 1000)
    socket.on('close', (code) => {
      clearInterval(pinging)
      this.#end()
      deps.onClose(code)
    })
  }

  /** Number of subscriptions. */
  get subscriptions(): number {
    return this.#topics.size
  }

  welcome(id: string): void {
    this.#send(readyMessage(id))
  }

  /** Says goodbye; a client that does not answer is cut off. Nothing more is told. */
  close(code: number, reason: string): void {
    if (this.#closing) return
    this.#end()
    this.#socket.close(code, reason)
    const cut = setTimeout(() => this.#socket.terminate(), GOODBYE_MS)
    this.#socket.once('close', () => clearTimeout(cut))
  }

  #end(): void {
    this.#closing = true
    for (const topic of [...this.#topics]) this.#leave(topic)
    this.#drain()
  }

  /** Every so often: a client that answers no ping is gone, and one without a subscription may go. */
  #check(): void {
    const idle = this.#topics.size === 0 && performance.now() - this.#idleSince > this.#deps.options.idleSeconds * 1000
    if (!this.#answered) {
      this.#socket.terminate()
    } else if (idle) {
      this.close(CLOSE.idle, 'no subscription')
    } else {
      this.#answered = false
      this.#socket.ping()
    }
  }

  get #burst(): number {
    const { messagesPerSecond, subscriptionsPerSocket } = this.#deps.options
    return messagesPerSecond + subscriptionsPerSocket
  }

  #allowed(): boolean {
    const now = performance.now()
    const earned = ((now - this.#allowedAt) / 1000) * this.#deps.options.messagesPerSecond
    this.#allowance = Math.min(this.#burst, this.#allowance + earned)
    this.#allowedAt = now
    this.#allowance -= 1
    return this.#allowance >= 0
  }

  /** Messages and pings cost the same: both are answered. */
  #receive(take: () => void): void {
    this.#answered = true
    if (this.#closing) return
    if (this.#allowed()) take()
    else this.close(CLOSE.policy, 'too many messages')
  }

  async #serve(text: string | null): Promise<void> {
    if (this.#closing) return
    let wished: ClientMessage['type'] | null = null
    try {
      if (text === null) throw new BadMessage('The message is not text')
      const message = readType(text)
      wished = message.type
      await this.#obey(readClientMessage(message, this.caller))
      this.#badInARow = 0
    } catch (error) {
      if (error instanceof BadMessage) this.#complain(error.message, wished)
      // A client that hears nothing would wait for ever; without its socket it asks (wire.md A.8).
      else this.close(CLOSE.tryLater, 'try again later')
    }
  }

  #complain(message: string, wished: ClientMessage['type'] | null): void {
    this.#send(errorMessage(message))
    this.#badInARow += 1
    if (this.#badInARow >= BAD_MESSAGES) this.close(CLOSE.policy, 'bad messages')
    // A client that is connected does not ask: one that would hear nothing is let go (wire.md A.8).
    else if (wished === 'subscribe' && this.#topics.size === 0) this.close(CLOSE.policy, 'the subscription was refused')
  }

  async #obey(message: ClientMessage): Promise<void> {
    if (message.type === 'unsubscribe') this.#unsubscribe(message.topic)
    else await this.#subscribe(message)
  }

  async #subscribe({ topic, cursor, filters }: Extract<ClientMessage, { type: 'subscribe' }>): Promise<void> {
    const { feed, options } = this.#deps
    if (!this.#topics.has(topic) && this.#topics.size >= options.subscriptionsPerSocket) {
      throw new BadMessage(`A socket has at most ${options.subscriptionsPerSocket} subscriptions`)
    }
    // Begun anew, a subscription is one all the same.
    this.#leave(topic)
    await beginSubscription(this.#deps, { topic, cursor }, this.#audience(filters))
    if (this.#closing) feed.leave(topic, this.#listener)
    else this.#topics.add(topic)
  }

  #unsubscribe(topic: Topic | null): void {
    for (const ended of topic === null ? [...this.#topics] : [topic]) this.#leave(ended)
    this.#idleSince = performance.now()
    this.#send(unsubscribedMessage())
  }

  #leave(topic: Topic): void {
    this.#deps.feed.leave(topic, this.#listener)
    this.#topics.delete(topic)
  }

  #audience(filters: object): Audience {
    return {
      listener: this.#listener,
      begins: (at) => this.#send(subscribedMessage(filters, at)),
      drained: () => this.#drained(),
    }
  }

  #tell(event: OutboxEvent): void {
    if (this.#closing) return
    this.#deps.onEvent()
    this.#send(this.#deps.texts.of(event, ownsEvent(this.caller, event) ? 'owner' : 'other'))
  }

  #send(text: string): void {
    this.#put(() => this.#socket.send(text, this.#sent))
  }

  /** Writes, or lets a client go that has too much to read already. */
  #put(write: () => void): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    if (this.#socket.bufferedAmount > this.#deps.options.bufferKiB * 1024) {
      this.close(CLOSE.tooSlow, 'too slow; continue with the cursor of the last event')
    } else {
      this.#unsent += 1
      write()
    }
  }

  readonly #sent = (): void => {
    this.#unsent -= 1
    if (this.#unsent === 0) this.#drain()
  }

  #drain(): void {
    for (const drained of this.#drains.splice(0)) drained()
  }

  async #drained(): Promise<void> {
    const much = this.#socket.bufferedAmount * 2 > this.#deps.options.bufferKiB * 1024
    if (much && !this.#closing) await new Promise<void>((resolve) => this.#drains.push(resolve))
    if (this.#closing) throw new Error('The client is gone.')
  }
}
