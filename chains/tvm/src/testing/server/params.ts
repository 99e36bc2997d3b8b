import type { NodeRequest } from '@causeway/core/testing'
import { readAddress } from '../wire/transactionJson.js'

/** Parameters of a call, from the query of a GET or the JSON of a POST. */
export class Params {
  readonly #values: Readonly<Record<string, unknown>>

  constructor({ query, body }: Pick<NodeRequest, 'query' | 'body'>) {
    this.#values = { ...Object.fromEntries(query), ...(body === '' ? {} : Object(JSON.parse(body))) }
  }

  get all(): Readonly<Record<string, unknown>> {
    return this.#values
  }

  /** Whether addresses are spelled in base58check. */
  get visible(): boolean {
    return String(this.#values.visible ?? false) === 'true'
  }

  /** Whether numbers of 64 bits are answered as text. */
  get isText(): boolean {
    return String(this.#values.int64_as_string ?? false) === 'true'
  }

  text(name: string): string {
    return String(this.#values[name] ?? '')
  }

  /** @throws SyntaxError for a text that is not a number */
  number(name: string, otherwise = 0): number {
    const value = this.#values[name]
    if (value === undefined) return otherwise
    if (!/^-?\d+$/.test(String(value))) throw new SyntaxError(`INVALID ${name}`)
    return Number(value)
  }

  /** Hex of an address. @throws SyntaxError for an address in the other spelling */
  address(name: string): string {
    return readAddress(this.#values[name], this.visible)
  }

  has(name: string): boolean {
    return this.#values[name] !== undefined && this.#values[name] !== ''
  }
}

/** A method of a node, and what it answers. */
export type Method = (params: Params) => unknown
export type Methods = Readonly<Record<string, Method>>
