import type { Diagnosis } from '../../chain/endpoint/diagnosis.js'
import type { JsonRpcEndpoint } from '../endpoints/clients/jsonRpcEndpoint.js'
import type { NodeRestriction } from '../endpoints/clients/nodeRestrictions.js'
import type { RpcTopic } from '../endpoints/clients/rpcSubscription.js'
import type { NamedEndpoint } from '../quorum/depositVote.js'

/** What an endpoint shows when it is looked at. */
export interface EndpointReading {
  readonly height: bigint
  /** Unix seconds of its newest block; null when it does not tell. */
  readonly time: number | null
  /** Whether deposits can be found by it. */
  history(): Diagnosis | Promise<Diagnosis>
  /** Calls of the service that the endpoint does not serve, with their cost. Absent: those that its client met are all. */
  limits?(): Promise<readonly NodeRestriction[]>
}

/** What differs from chain to chain when its nodes are looked at for a person who asks what is wrong. */
export interface ChainDiagnosis<Endpoint extends NamedEndpoint = JsonRpcEndpoint> {
  /** What the chain calls what its heights count (`block`, `slot`, `ledger`). */
  readonly unit: string
  /** By how much an endpoint may be behind the best before it is said. */
  readonly maxBehind: bigint
  /** A head older than this is stale. */
  readonly staleSeconds: number
  /** Said of an endpoint of another chain. */
  readonly otherChain: {
    readonly message: string
    readonly remedy: string
    /** The configured chain, as nodes name themselves. Absent: it is not said. */
    readonly expected?: string
  }
  /** Begins a subscription to heads; `notification` is in every message that it brings. Absent: the chain has none. */
  readonly heads?: { readonly topic: RpcTopic; readonly notification: string }
  /** One round trip, which is timed. Throws when the endpoint cannot be used. */
  read(endpoint: Endpoint, subject: string): Promise<EndpointReading>
  /** What the service needs on the chain itself, by an endpoint that works. */
  onChain(endpoint: Endpoint): Promise<readonly Diagnosis[]>
}
