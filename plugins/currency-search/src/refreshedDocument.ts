import { pause } from '@causeway/core/plugin'
import type { Logger } from 'pino'
import { getJson, type SourceTarget } from './getJson.js'
import { SourceState } from './sourceState.js'

/** Value of a document, with the number of its tokens and of its entries that were no tokens. */
export interface Reading<Value> {
  readonly value: Value
  readonly tokens: number
  readonly refused: number
}

export interface RefreshedDocumentDeps<Value> extends SourceTarget {
  readonly name: string
  readonly log: Logger
  readonly maxBytes: number
  readonly refreshMs: number
  /** @throws SourceError if the body has another shape */
  read(body: unknown): Promise<Reading<Value>>
}

/** Time limit of one download; large lists may come over slow lines. */
const TIMEOUT_MS = 30_000
const PAUSE_MS = 10_000

/** A JSON document that is requested again and again; the last good reading stays until there is a new one. */
export class RefreshedDocument<Value> {
  readonly #deps: RefreshedDocumentDeps<Value>
  readonly #state: SourceState
  readonly #tried: Promise<void>
  #endFirst: () => void = () => undefined
  #held: { readonly value: Value; readonly etag: string | null } | null = null

  constructor(deps: RefreshedDocumentDeps<Value>) {
    this.#deps = deps
    this.#state = new SourceState({ name: deps.name, log: deps.log, pauseMs: PAUSE_MS, maxPauseMs: deps.refreshMs })
    this.#tried = new Promise((resolve) => {
      this.#endFirst = resolve
    })
  }

  /** The last good reading; waits for the first attempt. Null while there is none. */
  async current(): Promise<Value | null> {
    await this.#tried
    return this.#held?.value ?? null
  }

  /** Requests the document until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.refresh(signal)
      await pause(this.#state.pauseMs || this.#deps.refreshMs, signal)
    }
  }

  /** Requests the document once. Never rejects. */
  async refresh(signal: AbortSignal): Promise<void> {
    try {
      await this.#replace(signal)
      this.#state.answered()
    } catch (error) {
      if (signal.aborted) return
      this.#state.failed(error, this.#held === null ? 'It has no tokens yet.' : 'Its last list stays in use.')
    } finally {
      this.#endFirst()
    }
  }

  async #replace(signal: AbortSignal): Promise<void> {
    const { http, base, headers, maxBytes, name, log, read } = this.#deps
    const request = { url: base, headers, maxBytes, timeoutMs: TIMEOUT_MS, signal }
    const document = await getJson(http, request, this.#held?.etag ?? null)
    if (document === null) return
    const { value, tokens, refused } = await read(document.body)
    this.#held = { value, etag: document.etag }
    log.info({ source: name, tokens, refused }, 'A token list was read')
  }
}
