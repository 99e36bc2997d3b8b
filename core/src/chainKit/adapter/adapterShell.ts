import type { ChainConfig, ChainDeps } from '../../chain/chainPackage.js'
import type { BlockRef } from '../../chain/chainReferences.js'
import type { Disagreement, EndpointHealth } from '../../chain/endpoint/endpointHealth.js'
import { requireUsable, type StartedEndpoint } from './requireUsable.js'

/** Whoever follows the heads of the chain. */
export interface ShellHeads {
  tip(): Promise<BlockRef>
  onHead(listener: (head: BlockRef) => void, signal: AbortSignal): void
  /** Asks for the head now; absent where there is nothing to ask. */
  refresh?(): Promise<unknown>
  stop(): void
}

/** Whoever compares the endpoints with each other. */
export interface ShellMonitor {
  check(): Promise<void>
  start(): void
  stop(): void
  health(): readonly EndpointHealth[]
  onDisagreement(listener: (disagreement: Disagreement) => void, signal: AbortSignal): void
}

export interface AdapterShellDeps<Endpoint extends StartedEndpoint> {
  readonly config: Pick<ChainConfig, 'id'>
  readonly logger: ChainDeps['logger']
  readonly pool: { readonly endpoints: readonly Endpoint[]; close(): void }
  readonly monitor: ShellMonitor
  readonly heads: ShellHeads
  /** A question that any endpoint of this chain answers; it throws where one is away, or of another chain. */
  ask(endpoint: Endpoint): Promise<unknown>
  /**
   * Starts the heads, and all else that runs beside them, once an endpoint is usable. The signal ends with the adapter: whatever
   * comes after a wait begins only while it is not aborted. Throws ServiceError when the chain cannot be followed.
   */
  follow(signal: AbortSignal): void | Promise<void>
  /** Makes the watcher read now. */
  wake(): void
}

/**
 * The members of an adapter that only pass on what its parts do: hand them out, or spread the shell into an object that is the
 * adapter. They are bound. A start that fails or is aborted leaves nothing running.
 */
export class AdapterShell<Endpoint extends StartedEndpoint = StartedEndpoint> {
  readonly #deps: AdapterShellDeps<Endpoint>
  #running = new AbortController()

  constructor(deps: AdapterShellDeps<Endpoint>) {
    this.#deps = deps
  }

  /** @throws ServiceError SERVICE_UNAVAILABLE when no endpoint is usable, and what `follow` throws */
  readonly start = async (signal: AbortSignal): Promise<void> => {
    const running = new AbortController()
    this.#running.abort()
    this.#running = running
    if (signal.aborted) return this.stop()
    signal.addEventListener('abort', () => void this.stop(), { once: true, signal: running.signal })
    try {
      await Promise.race([this.#begin(running.signal), aborted(running.signal)])
    } catch (error) {
      if (running.signal.aborted) return
      this.#halt()
      throw error
    }
  }

  readonly stop = async (): Promise<void> => {
    this.#halt()
    this.#deps.pool.close()
  }

  readonly endpoints = (): readonly EndpointHealth[] => this.#deps.monitor.health()

  readonly onDisagreement = (listener: (disagreement: Disagreement) => void, signal: AbortSignal): void =>
    this.#deps.monitor.onDisagreement(listener, signal)

  readonly tip = async (): Promise<BlockRef> => refOf(await this.#deps.heads.tip())

  readonly onHead = (listener: (head: BlockRef) => void, signal: AbortSignal): void =>
    this.#deps.heads.onHead((head) => listener(refOf(head)), signal)

  /** The watcher reads once the head was asked for, whether or not that could be read. */
  readonly poke = (): void => {
    const { heads, logger } = this.#deps
    if (heads.refresh === undefined) {
      this.#deps.wake()
      return
    }
    const { signal } = this.#running
    heads
      .refresh()
      .catch((error: unknown) => {
        if (!signal.aborted) logger.warn({ err: error }, 'The head of the chain could not be read')
      })
      .finally(() => this.#deps.wake())
  }

  /** What others ask of the nodes goes on: a chain that could not be started is tried again. */
  #halt(): void {
    this.#running.abort()
    this.#deps.monitor.stop()
    this.#deps.heads.stop()
  }

  async #begin(signal: AbortSignal): Promise<void> {
    const { config, logger, pool, monitor } = this.#deps
    await requireUsable({
      chainId: config.id,
      endpoints: pool.endpoints,
      logger,
      ask: (endpoint: Endpoint) => this.#deps.ask(endpoint),
      compare: () => monitor.check(),
    })
    if (signal.aborted) return
    monitor.start()
    await this.#deps.follow(signal)
  }
}

/** What is told of a head, whatever else a chain knows of it. */
const refOf = ({ height, hash, time }: BlockRef): BlockRef => ({ height, hash, time })

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
