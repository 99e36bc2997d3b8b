import { ServiceError } from '@causeway/core'
import type { BitcoinSource, BlockHeader } from './bitcoinSource.js'

/** For how long a node that showed a deposit which others deny is not believed, after the last time. */
const LIE_MS = 600_000

/** One node with what is known of its worth. Its network is checked before its first answer is used. */
export class SourceEndpoint {
  readonly name: string
  readonly provider: string
  /** Newest block it showed. */
  head: BlockHeader | null = null
  lagging = false
  /** How most others contradict it, else null. */
  contradiction: string | null = null
  /** Why the last request got no answer; null once one did. */
  failure: string | null = null
  readonly source: BitcoinSource
  readonly #genesisHash: string
  #lie: { readonly reason: string; readonly until: number } | null = null
  #checked: Promise<void> | null = null
  #failures = 0
  #restingUntil = 0

  constructor(deps: {
    readonly name: string
    readonly provider: string
    readonly source: BitcoinSource
    readonly genesisHash: string
  }) {
    this.name = deps.name
    this.provider = deps.provider
    this.source = deps.source
    this.#genesisHash = deps.genesisHash
  }

  /** Why nothing it says is believed, else null. */
  get distrust(): string | null {
    const lie = this.#lie !== null && this.#lie.until > Date.now() ? this.#lie.reason : null
    return lie ?? this.contradiction
  }

  /** Keeps it out for a while: it showed what most others deny. */
  caughtLying(reason: string): void {
    this.#lie = { reason, until: Date.now() + LIE_MS }
  }

  /** False while it rests after failures. Real time, not business time: it is about a network. */
  get rested(): boolean {
    return Date.now() >= this.#restingUntil
  }

  /** Asks the node; throws ServiceError when it does not answer or serves another chain. */
  async ask<T>(question: (source: BitcoinSource) => Promise<T>): Promise<T> {
    this.#checked ??= this.#checkChain()
    try {
      await this.#checked
      const answer = await question(this.source)
      this.failure = null
      this.#failures = 0
      this.#restingUntil = 0
      return answer
    } catch (error) {
      this.failure = error instanceof Error ? error.message : 'It does not answer.'
      this.#rest()
      throw error
    }
  }

  /** The last choice for a while: 0.25 s, doubled with each failure in a row, at most 15 s. */
  #rest(): void {
    this.#restingUntil = Date.now() + Math.min(15_000, 250 * 2 ** this.#failures)
    this.#failures = Math.min(this.#failures + 1, 10)
  }

  async #checkChain(): Promise<void> {
    try {
      if ((await this.source.genesisHash()) === this.#genesisHash) return
      throw new ServiceError('SERVICE_UNAVAILABLE', 'A node set for this chain serves another chain.')
    } catch (error) {
      this.#checked = null
      throw error
    }
  }
}
