import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { ServiceError } from '../../errors/serviceError.js'
import type { RecordPosition } from './recordQuery.js'

const TAG_BYTES = 16

/**
 * Continuations of pages: base64url of a position with a keyed tag over it and over what was asked, so that one works only
 * for the same filters, order and caller, and cannot be made up (wire.md H.3).
 */
export class RecordCursor {
  readonly #key: Uint8Array

  /** `key`: 32 secret bytes that all hosts of a deployment share. */
  constructor(key: Uint8Array) {
    this.#key = key
  }

  /** `asked` is whatever the page was made from, besides its size and place: any JSON value. */
  write(position: RecordPosition, asked: unknown): string {
    const body = Buffer.from(JSON.stringify([position.key, position.tie]))
    return Buffer.concat([this.#tag(body, asked), body]).toString('base64url')
  }

  /** Throws `INVALID_REQUEST` for one that was changed, made for other filters, or by another caller. */
  read(cursor: string, asked: unknown): RecordPosition {
    const bytes = /^[A-Za-z0-9_-]{24,4096}$/.test(cursor) ? Buffer.from(cursor, 'base64url') : Buffer.alloc(0)
    const [tag, body] = [bytes.subarray(0, TAG_BYTES), bytes.subarray(TAG_BYTES)]
    if (body.length === 0 || !timingSafeEqual(tag, this.#tag(body, asked))) {
      throw new ServiceError(
        'INVALID_REQUEST',
        'The continuation does not belong to this query. Send the one of the page before, with the same filters, order and key.',
      )
    }
    const [key, tie]: [string, string] = JSON.parse(body.toString())
    return { key, tie }
  }

  #tag(body: Buffer, asked: unknown): Buffer {
    const question = createHash('sha256').update(JSON.stringify(asked)).digest()
    return createHmac('sha256', this.#key).update(question).update(body).digest().subarray(0, TAG_BYTES)
  }
}
