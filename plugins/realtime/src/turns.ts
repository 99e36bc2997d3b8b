/** Lets so much work go on at a time; the rest waits for its turn. */
export class Turns {
  #free: number
  readonly #queue: (() => void)[] = []

  constructor(most: number) {
    this.#free = most
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#queue.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#queue.shift()
      if (next === undefined) this.#free += 1
      else next()
    }
  }
}
