import type { ChainDeps } from '../../chain/chainPackage.js'
import type { BlockRef } from '../../chain/chainReferences.js'
import type { RpcTopic } from '../endpoints/clients/rpcSubscription.js'
import { EndpointSockets, type EndpointSocketsDeps } from './endpointSockets.js'

/** A subscription of a node's websocket. */
export interface StreamTopic {
  readonly call: RpcTopic
  /** The head in a message; throws `strangeAnswer` for another message. Absent: each message is a hint to read. */
  readonly headOf?: (message: unknown) => BlockRef
}

/** Subscriptions of a chain. */
export interface StreamParts extends Pick<EndpointSocketsDeps, 'dialect'> {
  /** The first is that of heads: while a node accepted it, heads are polled more rarely. */
  readonly topics: readonly StreamTopic[]
}

export interface NodeStreamDeps extends StreamParts, Pick<EndpointSocketsDeps, 'endpoints' | 'pool'> {
  readonly onHead: (head: BlockRef) => void
  readonly onHint: () => void
  readonly logger: ChainDeps['logger']
}

/** Heads and hints that the websockets of the nodes push. Nothing is booked by them: everything is read from the nodes. */
export class NodeStream {
  readonly #sockets: EndpointSockets
  readonly #topics: readonly StreamTopic[]

  constructor({ topics, onHead, onHint, ...deps }: NodeStreamDeps) {
    this.#topics = topics
    this.#sockets = new EndpointSockets({
      ...deps,
      onMessage: (topic, message) => {
        const headOf = topics[topic]?.headOf
        if (headOf === undefined) onHint()
        else onHead(headOf(message))
      },
    })
  }

  /** Whether a node pushes heads now. */
  get isLive(): boolean {
    return this.#sockets.isLive
  }

  /** Does nothing while it is open; lost connections are opened again until the signal aborts. */
  open(signal: AbortSignal): void {
    if (signal.aborted) return
    this.#sockets.open(this.#topics.map(({ call }) => call))
    signal.addEventListener('abort', () => this.#sockets.close(), { once: true })
  }
}
