import { type HttpTransportDeps, type OpenTransport, type Transport, transportError } from '@causeway/core/chain-kit'
import type { NodeAnswer } from './simNode.js'

type Request = Parameters<Transport['send']>[0]

/** Whoever answers requests to nodes by their URL: a `SimLedger`. */
export interface Answering {
  answer(url: string, body: string): NodeAnswer
}

/** Carries requests to the nodes of a ledger in this process; answers take their time by `setTimeout`. */
export const simTransport =
  (ledger: Answering): OpenTransport =>
  (deps) =>
    new SimTransport(ledger, deps)

class SimTransport implements Transport {
  readonly #ledger: Answering
  readonly #deps: HttpTransportDeps
  readonly #underWay = new Set<() => void>()

  constructor(ledger: Answering, deps: HttpTransportDeps) {
    this.#ledger = ledger
    this.#deps = deps
  }

  async send({ body, signal }: Request) {
    const { url, timeoutMs } = this.#deps
    if (signal?.aborted === true) throw transportError(new Error('aborted'), false)
    const { fate, delayMs, text } = this.#ledger.answer(url, body?.text ?? '')
    const isLate = fate === 'silent' || delayMs >= timeoutMs
    await this.#pause(isLate ? timeoutMs : delayMs, signal)
    if (isLate) throw transportError(new Error('time limit'), true)
    if (fate !== 'answered') throw transportError(new Error(`The connection was ${fate}`), false)
    return { status: 200, body: Buffer.from(text) }
  }

  close(): void {
    for (const end of [...this.#underWay]) end()
  }

  /** Fails when the signal aborts, or the transport is closed. */
  #pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
        this.#underWay.delete(abort)
      }
      const abort = () => {
        end()
        reject(transportError(new Error('aborted'), false))
      }
      const timer = setTimeout(() => {
        end()
        resolve()
      }, milliseconds)
      this.#underWay.add(abort)
      signal?.addEventListener('abort', abort, { once: true })
    })
  }
}
