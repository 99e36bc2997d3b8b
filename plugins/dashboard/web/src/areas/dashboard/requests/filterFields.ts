import { dashboardTexts } from '../../../texts/dashboardTexts.js'

const { names, hints, groups } = dashboardTexts.requests.filters

export type FilterName = Exclude<keyof typeof names, 'sortBy' | 'sortDirection'>
export type FilterGroup = keyof typeof groups

/** How a filter is asked for. */
export type FilterKind = 'text' | 'number' | 'chain' | 'status' | 'type' | 'key' | 'moment' | 'flag' | 'json'

export interface FilterField {
  readonly name: FilterName
  readonly group: FilterGroup
  readonly kind: FilterKind
}

const of = (group: FilterGroup, kind: FilterKind, ...fields: readonly FilterName[]): readonly FilterField[] =>
  fields.map((name) => ({ name, group, kind }))

/** Every filter of `GET /requests/v3` (wire.md 3.1), in the order in which the dialog asks for them. */
export const FILTERS: readonly FilterField[] = [
  ...of('what', 'status', 'status'),
  ...of('what', 'type', 'requestType'),
  ...of('what', 'text', 'failReason', 'refundFailReason', 'features'),
  ...of('who', 'text', 'term', 'user', 'recipient', 'depositAddress'),
  ...of('who', 'key', 'apiKey'),
  ...of('who', 'text', 'referrer'),
  ...of('when', 'moment', 'startTimestamp', 'endTimestamp'),
  ...of('when', 'number', 'startBlock', 'endBlock', 'fillTimeMin', 'fillTimeMax'),
  ...of('chains', 'chain', 'originChainId', 'destinationChainId', 'chainId'),
  ...of('chains', 'text', 'currencyInSymbol', 'currencyOutSymbol', 'currencyInAddress', 'currencyOutAddress'),
  ...of('chains', 'chain', 'currencyInChainId', 'currencyOutChainId'),
  ...of('sizes', 'number', 'amountUsdMin', 'amountUsdMax', 'appFeesAmountUsdMin', 'appFeesAmountUsdMax'),
  ...of('ids', 'text', 'id', 'orderId', 'depositTxHash', 'fillTxHash', 'refundTxHash'),
  ...of('ids', 'flag', 'includeChildRequests'),
  ...of('expert', 'text', 'privateChainsToInclude'),
  ...of('expert', 'json', 'filters'),
]

/** Statuses that can be searched for. */
export const STATUSES = ['depositing', 'pending', 'success', 'failure', 'refund'] as const

export const hintOf = (name: FilterName): string | undefined => Object.entries(hints).find(([key]) => key === name)?.[1]

const isJsonList = (text: string): boolean => {
  try {
    return Array.isArray(JSON.parse(text))
  } catch {
    return false
  }
}

/** What is wrong with the value of a filter; null: nothing. */
export const problemOf = ({ kind }: FilterField, value: string): string | null => {
  const words = dashboardTexts.requests.filters
  if (value === '') return null
  if (kind === 'number' && !/^\d+(\.\d+)?$/.test(value)) return words.badNumber
  if (kind === 'json' && !isJsonList(value)) return words.badJson
  return null
}

const SORTS = ['sortBy', 'sortDirection'] as const

/** Of all values of the address, those that are filters. */
export const filtersIn = (values: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    FILTERS.flatMap(({ name }) => {
      const value = values[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** The filters with the order: what a view keeps, and what a search is asked with. */
export const searchIn = (values: Readonly<Record<string, string>>): Readonly<Record<string, string>> => ({
  ...filtersIn(values),
  ...Object.fromEntries(
    SORTS.flatMap((name) => {
      const value = values[name]
      return value === undefined ? [] : [[name, value]]
    }),
  ),
})

/** The field of `datetime-local` speaks of the browser's own time. */
export const momentText = (seconds: string): string => {
  const date = new Date(Number(seconds) * 1000)
  if (Number.isNaN(date.getTime())) return ''
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
export const momentSeconds = (text: string): string => {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? '' : String(Math.floor(ms / 1000))
}
