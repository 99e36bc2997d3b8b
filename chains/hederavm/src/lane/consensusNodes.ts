import { BoundedCache, ServiceError, systemClock } from '@causeway/core'
import type { BroadcastResult } from '@causeway/core/chain'
import { Endpoint, transportError } from '@causeway/core/chain-kit'
import type { Client } from '@hashgraph/sdk'
import type { Asked } from '../rpc/mirrorNode.js'
import { askConsensusNodes, type ConsensusAddress } from '../rpc/network.js'
import { broadcastResultOf } from './precheckResults.js'
import { loadSdk, type Sdk } from './sdk.js'

/** A node that takes the bytes of one transaction. */
export interface ConsensusNode {
  readonly account: string
  /** @throws ServiceError when the node does not answer */
  submit(bytes: Uint8Array): Promise<BroadcastResult>
}

export interface ConsensusNodesDeps {
  /** Mirror nodes, which list the consensus nodes. */
  readonly mirrors: Asked
  readonly timeoutMs: number
}

/** The list changes with upgrades of the network. */
const LIST_MS = 600_000
/** Nodes that bytes are signed for: one is enough, and a busy or unreachable one must not hold a payment up. */
const NODES_OF_A_PAYMENT = 4
/** The SDK keeps an unreachable node out for so long; `Endpoint` has the node rest. */
const NODE_REST_MS = 1

/** Consensus nodes over gRPC, by a client of the SDK that runs only between `start` and `close`. */
export class ConsensusNodes {
  readonly #deps: ConsensusNodesDeps
  readonly #lists = new BoundedCache<readonly ConsensusAddress[]>({
    ...{ clock: systemClock, maxEntries: 1, lifeOf: () => LIST_MS },
  })
  #listed: readonly ConsensusAddress[] | null = null
  #open: { readonly client: Client; readonly key: string } | null = null
  #nodes = new Map<string, Endpoint<ConsensusNode>>()
  #turn = 0
  #isClosed = false

  constructor(deps: ConsensusNodesDeps) {
    this.#deps = deps
  }

  /** Allows a client again after `close`. */
  start(): void {
    this.#isClosed = false
  }

  /** Accounts of the nodes that the next payment is signed for, by turns, those that answer first. @throws ServiceError */
  async choose(): Promise<readonly string[]> {
    const accounts = [...new Set((await this.#list()).map(({ account }) => account))]
    this.#turn += 1
    const turned = accounts.map((_, at) => accounts[(at + this.#turn) % accounts.length] ?? '')
    const rests = (account: string): number => (this.#nodes.get(account)?.rested === false ? 1 : 0)
    return turned.sort((left, right) => rests(left) - rests(right)).slice(0, NODES_OF_A_PAYMENT)
  }

  /** Nodes by their accounts, those that answer first. @throws ServiceError where no mirror node lists them */
  async at(accounts: readonly string[]): Promise<readonly Endpoint<ConsensusNode>[]> {
    await this.#list()
    const nodes = accounts.map((account) => this.#nodeOf(account))
    return [...nodes.filter(({ rested }) => rested), ...nodes.filter(({ rested }) => !rested)]
  }

  /** Ends the client with its connections and timers. */
  close(): void {
    this.#isClosed = true
    this.#open?.client.close()
    this.#open = null
    for (const node of this.#nodes.values()) node.close()
  }

  #nodeOf(account: string): Endpoint<ConsensusNode> {
    const known = this.#nodes.get(account)
    if (known !== undefined) return known
    const client = { account, submit: (bytes: Uint8Array) => this.#submit(bytes) }
    const node = new Endpoint<ConsensusNode>({
      ...{ name: account, provider: account, client, identify: async () => true, close: () => undefined },
    })
    this.#nodes.set(account, node)
    return node
  }

  /** The last list stays in use while no mirror node answers. */
  async #list(): Promise<readonly ConsensusAddress[]> {
    try {
      this.#listed = await this.#lists.get('all', () => askConsensusNodes(this.#deps.mirrors))
    } catch (error) {
      if (this.#listed === null) throw error
    }
    return this.#listed
  }

  async #submit(bytes: Uint8Array): Promise<BroadcastResult> {
    const sdk = await loadSdk()
    const client = this.#clientOf(sdk, await this.#list())
    try {
      await sdk.Transaction.fromBytes(bytes).execute(client)
      return broadcastResultOf('OK')
    } catch (error) {
      const status = statusOf(error)
      if (status === null) throw transportError(error, false)
      return broadcastResultOf(status)
    }
  }

  #clientOf(sdk: Sdk, list: readonly ConsensusAddress[]): Client {
    if (this.#isClosed) throw new ServiceError('SERVICE_UNAVAILABLE', 'This chain was stopped.')
    const key = JSON.stringify(list)
    if (this.#open?.key === key) return this.#open.client
    this.#open?.client.close()
    const { timeoutMs } = this.#deps
    const network = Object.fromEntries(list.map(({ account, address }) => [address, account]))
    const client = sdk.Client.forNetwork(network, { scheduleNetworkUpdate: false })
    client.setMaxAttempts(1).setMinBackoff(1).setMaxBackoff(1)
    client.setNodeMinBackoff(1).setNodeMaxBackoff(NODE_REST_MS)
    client.setGrpcDeadline(timeoutMs).setRequestTimeout(timeoutMs * 2)
    this.#open = { client, key }
    return client
  }
}

/** The status that a node answered, also where the SDK would have tried again; null where it did not answer. */
const statusOf = (error: unknown): string | null => {
  if (!(error instanceof Error)) return null
  const status: unknown = Reflect.get(error, 'status')
  const isPrecheck = error.name === 'StatusError' || error.name === 'PrecheckStatusError'
  if (isPrecheck && status !== undefined) return String(status)
  return /last error being: ([A-Z][A-Z0-9_]+)$/.exec(error.message)?.[1] ?? null
}
