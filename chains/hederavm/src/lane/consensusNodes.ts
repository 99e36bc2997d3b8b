import { ServiceError } from '@causeway/core'
import type { BroadcastResult } from '@causeway/core/chain'
import { Endpoint, inOrder, keptAnswers, transportError } from '@causeway/core/chain-kit'
import type { Client } from '@hashgraph/sdk'
import type { Asked } from '../rpc/mirrorNode.js'
import { askConsensusNodes, type ConsensusAddress } from '../rpc/network.js'
import { broadcastResultOf } from './precheckResults.js'
import { loadSdk, type Sdk } from './sdk.js'

/** Sends a node the bytes of one transaction. @throws ServiceError when the node does not answer */
export type Submit = (bytes: Uint8Array) => Promise<BroadcastResult>

/** The list changes with upgrades of the network. */
const LIST_MS = 600_000
/** Nodes that bytes are signed for: one is enough, and a busy or unreachable one must not hold a payment up. */
const NODES_OF_A_PAYMENT = 4
/** The SDK keeps an unreachable node out for so long; `Endpoint` has the node rest. */
const NODE_REST_MS = 1

/** Consensus nodes over gRPC, by a client of the SDK that runs only between `start` and `close`. */
export class ConsensusNodes {
  readonly #timeoutMs: number
  readonly #ask: () => Promise<readonly ConsensusAddress[]>
  #listed: readonly ConsensusAddress[] | null = null
  #open: { readonly client: Client; readonly list: readonly ConsensusAddress[] } | null = null
  #nodes = new Map<string, Endpoint<Submit>>()
  #turn = 0
  #isClosed = false

  /** @param mirrors - mirror nodes, which list the consensus nodes */
  constructor({ mirrors, timeoutMs }: { readonly mirrors: Asked; readonly timeoutMs: number }) {
    this.#timeoutMs = timeoutMs
    this.#ask = keptAnswers(LIST_MS, async () => {
      const list = await askConsensusNodes(mirrors)
      // A client stays in use as long as its nodes do.
      if (JSON.stringify(list) !== JSON.stringify(this.#listed)) this.#listed = list
      return this.#listed ?? list
    })
  }

  /** Allows a client again after `close`. */
  start(): void {
    this.#isClosed = false
  }

  /** Loads the SDK and the list of nodes for the first payment; a failure shows with the payment. */
  warm(): void {
    for (const loading of [loadSdk(), this.#list()]) loading.catch(() => undefined)
  }

  /** Accounts of the nodes that the next payment is signed for, by turns, those that answer first. @throws ServiceError */
  async choose(): Promise<readonly string[]> {
    const accounts = [...new Set((await this.#list()).map(({ account }) => account))]
    this.#turn += 1
    const first = this.#turn % accounts.length
    return this.at([...accounts.slice(first), ...accounts.slice(0, first)])
      .slice(0, NODES_OF_A_PAYMENT)
      .map(({ name }) => name)
  }

  /** Nodes by their accounts, those that answer first. */
  at(accounts: readonly string[]): readonly Endpoint<Submit>[] {
    return inOrder(accounts.map((account) => this.#nodeOf(account)))
  }

  /** Ends the client with its connections and timers. */
  close(): void {
    this.#isClosed = true
    this.#open?.client.close()
    this.#open = null
    for (const node of this.#nodes.values()) node.close()
  }

  #nodeOf(account: string): Endpoint<Submit> {
    const known = this.#nodes.get(account)
    if (known !== undefined) return known
    const client: Submit = (bytes) => this.#submit(bytes)
    const open = { identify: async () => true, close: () => undefined }
    const node = new Endpoint({ name: account, provider: account, client, ...open })
    this.#nodes.set(account, node)
    return node
  }

  /** The last list stays in use until a newer one is there. @throws ServiceError where no mirror node gave one */
  async #list(): Promise<readonly ConsensusAddress[]> {
    const newest = this.#ask()
    if (this.#listed === null) return newest
    newest.catch(() => undefined)
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
    if (this.#open?.list === list) return this.#open.client
    this.#open?.client.close()
    const network = Object.fromEntries(list.map(({ account, address }) => [address, account]))
    const client = sdk.Client.forNetwork(network, { scheduleNetworkUpdate: false })
    client.setMaxAttempts(1).setMinBackoff(1).setMaxBackoff(1)
    client.setNodeMinBackoff(1).setNodeMaxBackoff(NODE_REST_MS)
    client.setGrpcDeadline(this.#timeoutMs).setRequestTimeout(this.#timeoutMs * 2)
    this.#open = { client, list }
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
