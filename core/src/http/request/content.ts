import { type TString, Type } from '@sinclair/typebox'
import { entityTag } from '../preparedJson.js'

const brand = Symbol.for('@causeway/core/Content')

/** An answer that is not JSON: a page, a script, an image. Sent as it is; its entity tag is computed on first use. */
export class Content {
  #etag: string | undefined

  /** `type` is the `Content-Type` header, for example `text/html; charset=utf-8`. */
  constructor(
    readonly type: string,
    readonly bytes: Uint8Array,
  ) {
    Object.defineProperty(this, brand, { value: true })
  }

  static html(text: string): Content {
    return new Content('text/html; charset=utf-8', Buffer.from(text))
  }

  /** True for a value made by any loaded copy of core. */
  static is(value: unknown): value is Content {
    return typeof value === 'object' && value !== null && Reflect.get(value, brand) === true
  }

  /** The type without its parameters. */
  get mediaType(): string {
    return this.type.split(';')[0]?.trim() ?? this.type
  }

  /** Strong entity tag of the bytes. */
  get etag(): string {
    this.#etag ??= entityTag(this.bytes)
    return this.#etag
  }
}

/** Declares, among the `responses` of a route, an answer that is `Content` of this media type. */
export const ContentSchema = (mediaType: string, description?: string): TString =>
  Type.String({ contentMediaType: mediaType, ...(description === undefined ? {} : { description }) })
