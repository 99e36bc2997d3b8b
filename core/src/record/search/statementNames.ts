import { createHash } from 'node:crypto'

/** A search comes in few shapes; what is beyond these is parsed and planned each time. */
const MOST = 150
/** Long texts are rare searches, and each connection would keep them. */
const LONGEST = 4_000

/**
 * Names for statements whose text is put together: by its name a connection parses and plans a text once. Keeps to a
 * bounded number of texts, since connections never forget one.
 */
export class StatementNames {
  readonly #prefix: string
  readonly #names = new Map<string, string>()

  constructor(prefix: string) {
    this.#prefix = prefix
  }

  /** The statement, with a name while there is room for its text. */
  named(
    text: string,
    values: readonly unknown[],
  ): { readonly name?: string; readonly text: string; values: unknown[] } {
    const name = this.#nameOf(text)
    return { ...(name === null ? {} : { name }), text, values: [...values] }
  }

  #nameOf(text: string): string | null {
    const known = this.#names.get(text)
    if (known !== undefined) return known
    if (this.#names.size >= MOST || text.length > LONGEST) return null
    const name = `${this.#prefix}_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
    this.#names.set(text, name)
    return name
  }
}
