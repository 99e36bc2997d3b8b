/** Collects the values of a statement; its text has places for them and never a word that came from outside. */
export class SqlWriter {
  readonly values: unknown[] = []
  readonly #known = new Map<unknown, string>()

  /** The place of a value, with its type: `$3::text[]`. Equal plain values share one. */
  bind(value: unknown, type: string): string {
    const key = typeof value === 'object' ? undefined : `${type}:${typeof value}:${String(value)}`
    const known = key === undefined ? undefined : this.#known.get(key)
    if (known !== undefined) return known
    this.values.push(value)
    const place = `$${this.values.length}::${type}`
    if (key !== undefined) this.#known.set(key, place)
    return place
  }

  /** Whether `what` is one of the values. A single one is compared as such: the planner takes any array for ten words. */
  isOneOf(what: string, values: readonly unknown[], type: string): string {
    return values.length === 1
      ? `${what} = ${this.bind(values[0], type)}`
      : `${what} = any(${this.bind(values, `${type}[]`)})`
  }
}
