/** A map of at most so many entries: setting one makes it the newest, and the oldest is forgotten. */
export class RecentMap<Key, Value> extends Map<Key, Value> {
  readonly #most: number

  constructor(most: number) {
    super()
    this.#most = most
  }

  override set(key: Key, value: Value): this {
    this.delete(key)
    super.set(key, value)
    if (this.size <= this.#most) return this
    for (const oldest of this.keys()) {
      this.delete(oldest)
      break
    }
    return this
  }
}
