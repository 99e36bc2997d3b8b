import type { NodeRequest } from '@causeway/core/testing'
import { readAddress } from '../wire/transactionJson.js'

/** Parameters of a call, from the query of a GET or the JSON of a POST. */
export class Params {
  readonly all: Readonly<Record<string, unknown>>

  constructor({ query, body }: Pick<NodeRequest, 'query' | 'body'>) {
    this.all = { ...Object.fromEntries(query), ...(body === '' ? {} : Object(JSON.parse(body))) }
  }

  /** Whether addresses are spelled in base58check. */
  get visible(): boolean {
    return String(this.all.visible ?? false) === 'true'
  }

  /** Whether numbers of 64 bits are answered as text. */
  get isText(): boolean {
    return String(this.all.int64_as_string ?? false) === 'true'
  }

  text(name: string): string {
    return String(this.all[name] ?? '')
  }

  /** 0 if it is absent. @throws SyntaxError for a text that is not a number */
  number(name: string): number {
    const value = this.all[name] ?? 0
    if (!/^-?\d+$/.test(String(value))) throw new SyntaxError(`INVALID ${name}`)
    return Number(value)
  }

  /** Hex of an address. @throws SyntaxError for an address in the other spelling */
  address(name: string): string {
    return readAddress(this.all[name], this.visible)
  }

  has(name: string): boolean {
    return this.all[name] !== undefined && this.all[name] !== ''
  }
}

/** A method of a node, and what it answers. */
export type Method = (params: Params) => unknown
export type Methods = Readonly<Record<string, Method>>
