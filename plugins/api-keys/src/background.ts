/** What runs beside the requests, and how it ends. */
export class Background {
  readonly #stop = new AbortController()
  readonly #running: Promise<void>[] = []

  get signal(): AbortSignal {
    return this.#stop.signal
  }

  add(work: Promise<void>): void {
    this.#running.push(work)
  }

  /** Resolves when all of it has ended. Safe to call twice. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await Promise.allSettled(this.#running)
  }
}
