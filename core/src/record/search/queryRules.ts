import { ServiceError } from '../../errors/serviceError.js'
import type { Caller } from '../../http/access/integratorAuth.js'
import type { RecordQuery, RecordRange } from './recordQuery.js'

/** Words of the `status` filter (wire.md 3.1). */
export const STATUS_FILTER = ['success', 'failure', 'refund', 'pending', 'depositing'] as const

/** Most keys that the parameter `apiKey` may name. */
export const MAX_API_KEYS = 50

/** The end of the year 9999: later seconds are milliseconds sent by mistake. */
export const MAX_SECONDS = 253_402_300_799

/** The refusal of a parameter; `name` is where it stood. */
export const badQuery = (name: string, rule: string): ServiceError =>
  new ServiceError('INVALID_REQUEST', `query.${name} ${rule}`)

/** Texts with commas between them. Throws `INVALID_REQUEST` for an empty one, or too many. */
export const listOf = (text: string, name: string, most: number): readonly string[] => {
  const items = text.split(',').map((item) => item.trim())
  if (items.length > most || items.includes('')) {
    throw badQuery(name, `must be 1 to ${most} texts with commas between them`)
  }
  return items
}

/** Two bounds of a query as a range; undefined without any. Throws `INVALID_REQUEST` when the first is above the second. */
export const rangeOf = <Query extends object>(
  query: Query,
  [low, high]: readonly [keyof Query & string, keyof Query & string],
): RecordRange | undefined => {
  const [from, to] = [query[low], query[high]].map((bound) => (typeof bound === 'number' ? bound : undefined))
  if (from !== undefined && to !== undefined && from > to) throw badQuery(low, `must not be above ${high}`)
  if (from === undefined && to === undefined) return undefined
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
}

/** The refusal of a search for referrers that names no keys (wire.md 3.1 3). */
export const referrerAlone = (): ServiceError =>
  badQuery('referrer', 'is only searched for together with apiKey: name the keys whose requests are meant')

/** What a continuation belongs to: the search without its place and size, and who asks. */
export const cursorQuestion = (
  { limit: _limit, after: _after, ...search }: RecordQuery,
  reader: Caller | string | null,
): { readonly search: object; readonly integrator: string | null } => ({
  search,
  integrator: readerName(reader),
})

const readerName = (reader: Caller | string | null): string | null => {
  if (reader === null || typeof reader === 'string') return reader
  return reader.kind === 'integrator' ? reader.integratorId : null
}
