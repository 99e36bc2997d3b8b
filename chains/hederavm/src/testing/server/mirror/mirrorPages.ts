import { CallError, type RestCall } from '@causeway/core/testing'

/** Answer of a node to a value of a parameter that it does not accept. */
export const invalidParameter = (name: string): CallError => new CallError(400, `Invalid parameter: ${name}`)

export const NOT_FOUND = new CallError(404, 'Not found')

const BOUND = /^(?:(eq|gte?|lte?):)?(.+)$/

const COMPARES: Readonly<Record<string, (value: bigint, bound: bigint) => boolean>> = {
  eq: (value, bound) => value === bound,
  gt: (value, bound) => value > bound,
  gte: (value, bound) => value >= bound,
  lt: (value, bound) => value < bound,
  lte: (value, bound) => value <= bound,
}

type Parse = (text: string) => bigint | null

/** Tests a value by a parameter that may repeat, such as `timestamp=gt:5&timestamp=lte:9`. @throws CallError */
export const boundsOf = (query: URLSearchParams, name: string, parse: Parse): ((value: bigint) => boolean) => {
  const bounds = query.getAll(name).map((text) => {
    const [, operator = 'eq', value = ''] = BOUND.exec(text) ?? []
    const bound = parse(value)
    if (bound === null) throw invalidParameter(name)
    return (place: bigint) => COMPARES[operator]?.(place, bound) === true
  })
  return (place) => bounds.every((allows) => allows(place))
}

export const parseTime = (text: string): bigint | null => {
  const [, seconds = '', nanos = ''] = /^(\d{1,10})(?:\.(\d{1,9}))?$/.exec(text) ?? []
  return seconds === '' ? null : BigInt(seconds) * 1_000_000_000n + BigInt(nanos.padEnd(9, '0'))
}

export const parseId = (text: string): bigint | null => {
  const number = /^(?:0\.0\.)?(\d{1,18})$/.exec(text)?.[1]
  return number === undefined ? null : BigInt(number)
}

const LIMIT = 25
const MOST = 100

export interface Paged<T> {
  /** In rising order of `place`. */
  readonly all: readonly T[]
  readonly placeOf: (one: T) => bigint
  /** Parameter of the bounds, in which the next page continues. */
  readonly name: string
  readonly parse: Parse
  readonly textOf: (place: bigint) => string
  readonly order?: 'asc' | 'desc'
}

export interface Page<T> {
  readonly items: readonly T[]
  readonly links: { readonly next: string | null }
}

type Limit = (asked: number | undefined, most: number) => number

/** A page of a list, with the link of the next one. @throws CallError */
export const pageOf = <T>({ query }: RestCall, path: string, limit: Limit, paged: Paged<T>): Page<T> => {
  const order = query.get('order') ?? paged.order ?? 'asc'
  if (order !== 'asc' && order !== 'desc') throw invalidParameter('order')
  const asked = Number(query.get('limit') ?? LIMIT)
  if (!Number.isInteger(asked) || asked < 1) throw invalidParameter('limit')
  const isWithin = boundsOf(query, paged.name, paged.parse)
  const allowed = paged.all.filter((one) => isWithin(paged.placeOf(one)))
  if (order === 'desc') allowed.reverse()
  const items = allowed.slice(0, limit(Math.min(asked, MOST), MOST))
  const last = items.at(-1)
  const isWhole = items.length === allowed.length || last === undefined
  return { items, links: { next: isWhole ? null : nextLink(query, path, order, paged, paged.placeOf(last)) } }
}

const nextLink = <T>(
  query: URLSearchParams,
  path: string,
  order: 'asc' | 'desc',
  { name, textOf }: Paged<T>,
  place: bigint,
): string => {
  const next = new URLSearchParams(query)
  next.delete(name)
  // The bound of the other side stays.
  const other = order === 'asc' ? /^lte?:/ : /^gte?:/
  for (const bound of query.getAll(name)) if (other.test(bound)) next.append(name, bound)
  const pairs = [...next, [name, `${order === 'asc' ? 'gt' : 'lt'}:${textOf(place)}`]]
  return `${path}?${pairs.map(([key, value]) => `${key}=${value}`).join('&')}`
}
