import { BoundedCache, type Clock } from '@causeway/core'
import type { Logger } from 'pino'
import { getJson, type SourceTarget, urlBelow } from './getJson.js'
import { SourceError, SourceState } from './sourceState.js'

export interface SearchApiDeps<Item> extends SourceTarget {
  readonly name: string
  readonly log: Logger
  readonly clock: Clock
  /** How long an answer with items is used. */
  readonly keepMs: number
  /** Reads the items of an answer and leaves out bad ones. @throws SourceError if the body has another shape */
  read(body: unknown): readonly Item[]
}

const MAX_BYTES = 1_048_576
/** Time limit of one request. A search waits less; the answer then serves the next one. */
const TIMEOUT_MS = 5_000
const MAX_ITEMS = 30
const MAX_KEPT = 1_000
const KEEP_NOTHING_MS = 60_000
const PAUSE_MS = 5_000
const MAX_PAUSE_MS = 60_000
const SHORTEST_TEXT = 2

/** `GET /search?query=` of a server, with a cache; equal questions share one request. */
export class SearchApi<Item> {
  readonly #deps: SearchApiDeps<Item>
  readonly #state: SourceState
  readonly #answers: BoundedCache<readonly Item[]>

  constructor(deps: SearchApiDeps<Item>) {
    const { name, log, clock, keepMs } = deps
    this.#deps = deps
    this.#state = new SourceState({ name, log, pauseMs: PAUSE_MS, maxPauseMs: MAX_PAUSE_MS })
    const lifeOf = (items: readonly Item[]) => (items.length === 0 ? Math.min(keepMs, KEEP_NOTHING_MS) : keepMs)
    this.#answers = new BoundedCache({ clock, maxEntries: MAX_KEPT, lifeOf })
  }

  /** At most 30 items in the server's order; none for a text of one character. @throws SourceError */
  async search(text: string): Promise<readonly Item[]> {
    return text.length < SHORTEST_TEXT ? [] : this.#answers.get(text, () => this.#ask(text))
  }

  async #ask(text: string): Promise<readonly Item[]> {
    if (this.#state.pauseMs > 0) throw new SourceError('It failed a moment ago')
    const { http, base, headers, read } = this.#deps
    const url = urlBelow(base, '/search', { query: text })
    try {
      const document = await getJson(http, { url, headers, maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS })
      const items = read(document?.body).slice(0, MAX_ITEMS)
      this.#state.answered()
      return items
    } catch (error) {
      this.#state.failed(error, 'Searches leave it out.')
      throw error
    }
  }
}
