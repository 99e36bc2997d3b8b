/** One line of the result: what was measured, its floor in the same run, and the target their ratio is held against. */
export interface Measurement {
  readonly case: string
  readonly what: string
  readonly unit: string
  readonly value: number
  /** Of the same work done as barely as possible, in the same run. */
  readonly floor?: number
  readonly floorIs?: string
  /** What the value, or its ratio to the floor, should not exceed (or fall short of). */
  readonly target?: { readonly of: 'value' | 'ratio'; readonly limit: number; readonly better: 'less' | 'more' }
}

export interface Verdict extends Measurement {
  readonly ratio: number | null
  readonly met: boolean | null
}

export const judge = (measurement: Measurement): Verdict => {
  const { value, floor, target } = measurement
  const ratio = floor === undefined ? null : value / floor
  if (target === undefined) return { ...measurement, ratio, met: null }
  const compared = target.of === 'value' ? value : (ratio ?? Number.NaN)
  return { ...measurement, ratio, met: target.better === 'less' ? compared <= target.limit : compared >= target.limit }
}

const number = (value: number | null | undefined): string => {
  if (value === null || value === undefined || Number.isNaN(value)) return ''
  if (Math.abs(value) >= 100) return value.toFixed(0)
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2)
}

const targetText = ({ target }: Measurement): string => {
  if (target === undefined) return ''
  const sign = target.better === 'less' ? '<=' : '>='
  return `${sign} ${number(target.limit)}${target.of === 'ratio' ? 'x' : ''}`
}

const verdictText = ({ met }: Verdict): string => (met === null ? '' : met ? 'met' : 'MISSED')

const HEAD = ['case', 'what', 'unit', 'value', 'floor', 'ratio', 'target', 'verdict']

/** A table for a terminal, 8 columns. */
export const formatTable = (verdicts: readonly Verdict[]): string => {
  const rows = verdicts.map((item) => [
    item.case,
    item.what,
    item.unit,
    number(item.value),
    number(item.floor),
    number(item.ratio),
    targetText(item),
    verdictText(item),
  ])
  const all = [HEAD, ...rows]
  const widths = HEAD.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        column >= 3 && column <= 5 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd()
  return [line(HEAD), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n')
}
