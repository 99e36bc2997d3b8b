import type { ChainDeps } from '../../chain/chainPackage.js'
import type { RpcEndpoint } from '../../chain/endpoint/rpcEndpoint.js'
import { RpcSubscription, type RpcTopic, type SocketDialect } from '../endpoints/clients/rpcSubscription.js'
import type { Lateness } from '../endpoints/monitor/headRace.js'

export interface EndpointSocketsDeps {
  /** As configured; those without a websocket are left out. */
  readonly endpoints: readonly RpcEndpoint[]
  /** What is thought of each of them now, in the same order. */
  readonly pool: { readonly endpoints: readonly SocketEndpoint[] }
  /**
   * `topic` is the index in the topics opened. What it tells is a hint: nothing is booked by it. It throws `strangeAnswer` of a message
   * that is none, which is dropped and counts as a failure of the endpoint.
   */
  readonly onMessage: (topic: number, result: unknown) => void
  /** Made for each connection; JSON-RPC 2.0 unless told. */
  readonly dialect?: () => SocketDialect
  readonly logger: ChainDeps['logger']
}

/** Health of an endpoint by its requests, and the listener for failures of its websocket. */
export interface SocketEndpoint {
  readonly distrust: string | null
  readonly lateness: Lateness
  fail(error: unknown): void
}

/** A websocket to each endpoint that has one, for subscriptions. One that is contradicted or late has no say (faults.md F131). */
export class EndpointSockets {
  readonly #deps: EndpointSocketsDeps
  readonly #alive = new Set<RpcSubscription>()
  #subscriptions: readonly RpcSubscription[] = []

  constructor(deps: EndpointSocketsDeps) {
    this.#deps = deps
  }

  /** Whether a node has accepted the first topic and its connection stands. */
  get isLive(): boolean {
    return this.#alive.size > 0
  }

  /** Does nothing while they are open. */
  open(topics: readonly RpcTopic[]): void {
    if (this.#subscriptions.length > 0) return
    this.#subscriptions = this.#deps.endpoints.flatMap(({ ws }, at) =>
      ws === undefined ? [] : [this.#subscribe(ws, topics, at)],
    )
  }

  close(): void {
    for (const subscription of this.#subscriptions) subscription.close()
    this.#subscriptions = []
    this.#alive.clear()
  }

  #subscribe(url: string, topics: readonly RpcTopic[], at: number): RpcSubscription {
    const { pool, onMessage, dialect, logger } = this.#deps
    const subscription: RpcSubscription = new RpcSubscription({
      url,
      topics,
      dialect,
      logger,
      onState: (alive) => {
        if (alive) this.#alive.add(subscription)
        else this.#alive.delete(subscription)
      },
      onStrange: (error) => pool.endpoints[at]?.fail(error),
      onMessage: (topic, result) => {
        const endpoint = pool.endpoints[at]
        if (endpoint?.distrust === null && endpoint.lateness === 'none') onMessage(topic, result)
      },
    })
    subscription.open()
    return subscription
  }
}
