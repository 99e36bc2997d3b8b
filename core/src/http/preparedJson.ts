import { createHash } from 'node:crypto'

const brand = Symbol.for('@causeway/core/PreparedJson')

/**
 * JSON text made once and sent many times, for answers that are the same for every caller. Sent as it is; its entity
 * tag is computed on first use.
 */
export class PreparedJson {
  #etag: string | undefined

  constructor(readonly text: string) {
    Object.defineProperty(this, brand, { value: true })
  }

  static of(value: object): PreparedJson {
    return new PreparedJson(JSON.stringify(value))
  }

  /** True for a value made by any loaded copy of core. */
  static is(value: unknown): value is PreparedJson {
    return typeof value === 'object' && value !== null && Reflect.get(value, brand) === true
  }

  /** Strong entity tag of the text. */
  get etag(): string {
    this.#etag ??= entityTag(this.text)
    return this.#etag
  }
}

/** Entity tag of a body: equal bodies, and only those, have equal tags. */
export const entityTag = (body: string | Uint8Array): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
