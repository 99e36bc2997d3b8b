import { type HttpTransportDeps, type OpenTransport, type Transport, transportError } from '@causeway/core/chain-kit'
import type { NodeAnswer } from './simNode.js'

type Request = Parameters<Transport['send']>[0]

/** Whoever answers requests to nodes by their URL: a `SimLedger`. */
export interface Answering {
  answer(url: string, body: string): NodeAnswer
}

/** One request's way to its node and back: in real networks both take a while. */
export interface Way {
  /** What the node does with it: done whatever has become of who sent it. */
  there(work: () => void): void
  /** What who sent it learns, after so long. Returns what takes that back. */
  back(work: () => void, delayMs: number): () => void
}

/** There at once, and back by `setTimeout`. */
const shortWay: Way = {
  there: (work) => work(),
  back: (work, delayMs) => {
    const timer = setTimeout(work, delayMs)
    return () => clearTimeout(timer)
  },
}

/** Carries requests to the nodes of a ledger in this process; `way` is asked for each request. */
export const simTransport =
  (ledger: Answering, way: () => Way = () => shortWay): OpenTransport =>
  (deps) =>
    new SimTransport(ledger, deps, way)

class SimTransport implements Transport {
  readonly #ledger: Answering
  readonly #deps: HttpTransportDeps
  readonly #way: () => Way
  readonly #underWay = new Set<() => void>()

  constructor(ledger: Answering, deps: HttpTransportDeps, way: () => Way) {
    this.#ledger = ledger
    this.#deps = deps
    this.#way = way
  }

  send({ body, signal }: Request): ReturnType<Transport['send']> {
    const { url, timeoutMs } = this.#deps
    const way = this.#way()
    return new Promise((resolve, reject) => {
      const ends: (() => void)[] = []
      const end = (tell: () => void) => {
        for (const takeBack of ends) takeBack()
        signal?.removeEventListener('abort', abort)
        this.#underWay.delete(abort)
        tell()
      }
      const fail = (words: string, timedOut = false) => end(() => reject(transportError(new Error(words), timedOut)))
      const abort = () => fail('aborted')
      if (signal?.aborted === true) return abort()
      signal?.addEventListener('abort', abort, { once: true })
      this.#underWay.add(abort)
      ends.push(way.back(() => fail('time limit', true), timeoutMs))
      way.there(() => {
        const { fate, delayMs, text } = this.#ledger.answer(url, body?.text ?? '')
        if (fate === 'silent') return
        const answer = () => end(() => resolve({ status: 200, body: Buffer.from(text) }))
        ends.push(way.back(fate === 'answered' ? answer : () => fail(`The connection was ${fate}`), delayMs))
      })
    })
  }

  close(): void {
    for (const end of [...this.#underWay]) end()
  }
}
