import { AsyncResource } from 'node:async_hooks'
import { type HttpTransportDeps, type OpenTransport, type Transport, transportError } from '@causeway/core/chain-kit'
import type { NodeAnswer } from './simNode.js'

type Request = Parameters<Transport['send']>[0]

/** Whoever answers requests to nodes by their URL: a `SimLedger`. */
export interface Answering {
  answer(url: string, body: string): NodeAnswer
}

/** Lets a request arrive at its node: in real networks later, and whatever has become of who sent it. */
export type Arrive = (work: () => void) => void

/** Carries requests to the nodes of a ledger in this process; answers take their time by `setTimeout`. Unless told they arrive at once. */
export const simTransport =
  (ledger: Answering, arrive: Arrive = (work) => work()): OpenTransport =>
  (deps) =>
    new SimTransport(ledger, deps, arrive)

class SimTransport implements Transport {
  readonly #ledger: Answering
  readonly #deps: HttpTransportDeps
  readonly #arrive: Arrive
  readonly #underWay = new Set<() => void>()

  constructor(ledger: Answering, deps: HttpTransportDeps, arrive: Arrive) {
    this.#ledger = ledger
    this.#deps = deps
    this.#arrive = arrive
  }

  send({ body, signal }: Request): ReturnType<Transport['send']> {
    const { url, timeoutMs } = this.#deps
    return new Promise((resolve, reject) => {
      const timers: NodeJS.Timeout[] = []
      const end = (tell: () => void) => {
        for (const timer of timers) clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
        this.#underWay.delete(abort)
        tell()
      }
      const fail = (words: string, timedOut = false) => end(() => reject(transportError(new Error(words), timedOut)))
      const abort = () => fail('aborted')
      if (signal?.aborted === true) return abort()
      signal?.addEventListener('abort', abort, { once: true })
      this.#underWay.add(abort)
      timers.push(setTimeout(() => fail('time limit', true), timeoutMs))
      // What an answer takes is the time of who waits for it.
      const later = AsyncResource.bind((tell: () => void, delayMs: number) => void timers.push(setTimeout(tell, delayMs)))
      this.#arrive(() => {
        const { fate, delayMs, text } = this.#ledger.answer(url, body?.text ?? '')
        if (fate === 'silent') return
        const answer = () => end(() => resolve({ status: 200, body: Buffer.from(text) }))
        later(fate === 'answered' ? answer : () => fail(`The connection was ${fate}`), delayMs)
      })
    })
  }

  close(): void {
    for (const end of [...this.#underWay]) end()
  }
}
