import type { PreparedJson } from './preparedJson.js'
import type { Content } from './request/content.js'

const brand = Symbol.for('@causeway/core/Reply')

/** An answer with a status or headers of its own. Made by `reply()`, so that no response body is mistaken for one. */
export interface Reply {
  readonly status: number
  readonly body: PreparedJson | Content | object
  readonly headers: Readonly<Record<string, string>>
}

/** Makes an answer; status 200 and no extra headers unless given. */
export const reply = (
  body: PreparedJson | Content | object,
  options: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): Reply => {
  const made: Reply = { status: options.status ?? 200, body, headers: options.headers ?? {} }
  Object.defineProperty(made, brand, { value: true })
  return made
}

/** True for a reply made by any loaded copy of core. */
export const isReply = (value: object): value is Reply => Reflect.get(value, brand) === true
