import { CallError, type LedgerNode, RawReply } from '@causeway/core/testing'
import type { Exchange } from '../engine/exchange.js'
import type { ExchangeBlock, ExchangeTx } from '../engine/exchangeTx.js'

/** One node of a local exchange. */
export type ExchangeNode = LedgerNode<ExchangeTx, ExchangeBlock, Exchange>

/** A request of `/info` or `/explorer`, not checked. */
export type Request = Readonly<Record<string, unknown>>

const BAD_BODY = 'Failed to deserialize the JSON body into the target type'
const UNPROCESSABLE = 422

/** The answer to a body that the exchange cannot read. */
export const badBody = (): CallError => new CallError(UNPROCESSABLE, BAD_BODY)

const HASH = /^0x[0-9a-f]{64}$/i
const ADDRESS = /^(?:0x)?([0-9a-f]{40})$/i

/** An address in lower case. @throws CallError */
export const addressIn = (request: Request, field: string): string => {
  const [, digits] = ADDRESS.exec(String(request[field])) ?? []
  if (digits === undefined) throw badBody()
  return `0x${digits.toLowerCase()}`
}

/** A hash of an action. @throws CallError */
export const hashIn = ({ hash }: Request): string => {
  if (typeof hash !== 'string' || !HASH.test(hash)) throw badBody()
  return hash.toLowerCase()
}

/** A natural number; the default if the field is missing or null. @throws CallError */
export const numberIn = (request: Request, field: string, absent: number): number => {
  const value = request[field] ?? absent
  if (typeof value !== 'number' || !(value >= 0)) throw badBody()
  return value
}

/** A text; the default if the field is missing. @throws CallError */
export const textIn = (request: Request, field: string, absent: string): string => {
  const value = request[field] ?? absent
  if (typeof value !== 'string') throw badBody()
  return value
}

/** Text that is no JSON, as errors of the exchange are. */
export const plainReply = (body: string, status: number): RawReply =>
  new RawReply(body, 'text/plain; charset=utf-8', status)
