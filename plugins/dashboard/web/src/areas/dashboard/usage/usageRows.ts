import { dashboardTexts } from '../../../texts/dashboardTexts.js'

/** One count of `GET /dashboard/api/usage`. */
export interface UsageRow {
  readonly apiKey: string
  readonly timestamp: string
  readonly endpoint: string
  readonly statusCode: number
  readonly errorCode?: string
  readonly count: number
}

export type Grain = 'minutely' | 'hourly' | 'daily'
export type Grouping = 'outcome' | 'key' | 'endpoint' | 'status'

/** Seconds of a bucket, and the longest time that may be read with it. */
export const GRAINS: Readonly<Record<Grain, { readonly step: number; readonly most: number }>> = {
  minutely: { step: 60, most: 86_400 },
  hourly: { step: 3_600, most: 7 * 86_400 },
  daily: { step: 86_400, most: 14 * 86_400 },
}

const words = dashboardTexts.usage

export const outcomeOf = (status: number): string =>
  status >= 500 ? words.outcomes.failed : status >= 400 ? words.outcomes.refused : words.outcomes.good

const GROUPS: Readonly<Record<Grouping, (row: UsageRow, nameOf: (key: string) => string) => string>> = {
  outcome: ({ statusCode }) => outcomeOf(statusCode),
  key: ({ apiKey }, nameOf) => nameOf(apiKey),
  endpoint: ({ endpoint }) => endpoint,
  status: ({ statusCode }) => String(statusCode),
}

/** Lines that a chart has at most; what is beyond them is summed up in the last. */
const MOST_LINES = 4

const totals = <Key>(rows: readonly UsageRow[], keyOf: (row: UsageRow) => Key): Map<Key, number> => {
  const sums = new Map<Key, number>()
  for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0) + row.count)
  return sums
}

export interface UsageLines {
  readonly times: readonly number[]
  readonly series: readonly { readonly name: string; readonly values: readonly number[] }[]
}

/** Counts over time, a bucket without calls as zero. */
export const linesOf = (
  rows: readonly UsageRow[],
  range: { readonly start: number; readonly end: number; readonly step: number },
  by: { readonly grouping: Grouping; nameOf(key: string): string },
): UsageLines => {
  const { start, end, step } = range
  const first = Math.floor(start / step) * step
  const times = Array.from({ length: Math.floor((end - first) / step) + 1 }, (_, at) => first + at * step)
  const groupOf = (row: UsageRow) => GROUPS[by.grouping](row, by.nameOf)
  const ordered = [...totals(rows, groupOf)].sort(([, left], [, right]) => right - left).map(([name]) => name)
  const own = new Set(ordered.length <= MOST_LINES ? ordered : ordered.slice(0, MOST_LINES - 1))
  const names = [...own, ...(own.size < ordered.length ? [words.others] : [])]
  const values = new Map(names.map((name) => [name, times.map(() => 0)]))
  for (const row of rows) {
    const name = groupOf(row)
    const line = values.get(own.has(name) ? name : words.others)
    const at = Math.floor((Math.floor(Date.parse(row.timestamp) / 1000) - first) / step)
    if (line?.[at] !== undefined) line[at] += row.count
  }
  return { times, series: names.map((name) => ({ name, values: values.get(name) ?? [] })) }
}

export interface UsageSum {
  readonly id: string
  readonly apiKey: string
  readonly endpoint: string
  readonly statusCode: number
  readonly errorCode: string | null
  readonly count: number
}

/** Calls by key, operation, status and error, most first. */
export const sumsOf = (rows: readonly UsageRow[]): readonly UsageSum[] =>
  [
    ...totals(rows, ({ apiKey, endpoint, statusCode, errorCode }) =>
      JSON.stringify([apiKey, endpoint, statusCode, errorCode ?? null]),
    ),
  ]
    .map(([id, count]) => {
      const [apiKey, endpoint, statusCode, errorCode]: [string, string, number, string | null] = JSON.parse(id)
      return { id, apiKey, endpoint, statusCode, errorCode, count }
    })
    .sort((left, right) => right.count - left.count)

/** Counts of all rows and of those that were refused or failed. */
export const countsOf = (rows: readonly UsageRow[]) => {
  const sum = (fits: (row: UsageRow) => boolean) =>
    rows.reduce((total, row) => (fits(row) ? total + row.count : total), 0)
  return {
    all: sum(() => true),
    refused: sum(({ statusCode }) => statusCode >= 400 && statusCode < 500),
    failed: sum(({ statusCode }) => statusCode >= 500),
    keys: new Set(rows.map(({ apiKey }) => apiKey)).size,
  }
}
