import { CallError } from '@causeway/core/testing'
import { Address, Cell } from '@ton/core'
import { parseAddress } from '../tonView.js'

/** Parameters of a call, from a query or from JSON. */
export class Params {
  readonly #all: Readonly<Record<string, unknown>>

  constructor(all: unknown) {
    // CAST: any object; each parameter is checked when it is read.
    this.#all = Object(all) as Readonly<Record<string, unknown>>
  }

  value(name: string): unknown {
    const value = this.#all[name]
    return value === null || value === '' ? undefined : value
  }

  /** @throws CallError if it is missing */
  text(name: string): string {
    const value = this.value(name)
    if (value === undefined) throw new CallError(422, `TypeError: missing a required argument: '${name}'`)
    return String(value)
  }

  /** An integer, also as text. @throws CallError for another text */
  integer(name: string): bigint | undefined {
    const value = this.value(name)
    if (value === undefined) return undefined
    try {
      return BigInt(String(value))
    } catch {
      throw new CallError(422, `TypeError: Can't parse integer in parameter ${name}`)
    }
  }

  /** @throws CallError if it is missing or no integer */
  required(name: string): bigint {
    return this.integer(name) ?? BigInt(this.text(name))
  }

  number(name: string): number | undefined {
    const value = this.integer(name)
    return value === undefined ? undefined : Number(value)
  }

  address(name: string): Address {
    return parseAddress(this.text(name))
  }

  /** 64 hex digits, from hex or base64 in either alphabet. @throws CallError for another text */
  hash(name: string): string | undefined {
    const value = this.value(name)
    if (value === undefined) return undefined
    const text = String(value)
    if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase()
    const bytes = Buffer.from(text.replaceAll('-', '+').replaceAll('_', '/'), 'base64')
    if (bytes.length !== 32) throw new CallError(422, 'Invalid hash')
    return bytes.toString('hex')
  }

  /** A cell in base64. @throws CallError for another text */
  cell(name: string): Cell | undefined {
    const value = this.value(name)
    if (value === undefined) return undefined
    try {
      return Cell.fromBase64(String(value))
    } catch {
      throw new CallError(500, 'LITE_SERVER_UNKNOWN: cannot deserialize bag-of-cells')
    }
  }
}

/** Address of the forms that toncenter shows: bounceable. */
export const shownAddress = (address: Address | null | undefined): string =>
  Address.isAddress(address) ? address.toString() : ''
