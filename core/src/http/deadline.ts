import type { ServerResponse } from 'node:http'
import { ServiceError } from '../errors/serviceError.js'

/** Thrown inside when nobody waits for the answer any more; no answer is sent. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

/** Ends the work of one request early; its signal is made only when somebody asks for it, since it costs more than the rest. */
export class Deadline {
  readonly #response: ServerResponse
  readonly #timer: NodeJS.Timeout
  readonly #stopped: Promise<never>
  #reject: (reason: Error) => void = () => {}
  #controller: AbortController | undefined
  #reason: Error | undefined

  constructor(response: ServerResponse, milliseconds: number) {
    this.#response = response
    this.#stopped = new Promise((_, reject) => {
      this.#reject = reject
    })
    this.#timer = setTimeout(this.#onLate, milliseconds)
    response.once('close', this.#onClose)
  }

  /** Aborted when time is up or the client is gone. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.#reason) this.#controller.abort(this.#reason)
    }
    return this.#controller.signal
  }

  /**
   * Waits for the work until its time is up (throws `SERVICE_UNAVAILABLE`) or the client is gone (throws `ClientGone`).
   * Work that goes on regardless is waited for by nobody. To be called once.
   */
  async race<T>(work: Promise<T>): Promise<T> {
    try {
      return await Promise.race([work, this.#stopped])
    } finally {
      clearTimeout(this.#timer)
      this.#response.removeListener('close', this.#onClose)
    }
  }

  readonly #stop = (reason: Error): void => {
    this.#reason = reason
    this.#reject(reason)
    this.#controller?.abort(reason)
  }

  readonly #onLate = (): void =>
    this.#stop(new ServiceError('SERVICE_UNAVAILABLE', 'The request took too long; try again'))

  readonly #onClose = (): void => {
    if (!this.#response.writableFinished) this.#stop(new ClientGone('The client closed the connection'))
  }
}
