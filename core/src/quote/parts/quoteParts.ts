import type { QuotePart } from '../quoteExtension.js'

/** Parts as further tables of a `with` that has `stored`; their values follow those it has. */
export const joinParts = (
  parts: readonly QuotePart[],
  before: readonly unknown[],
): { readonly text: string; readonly values: unknown[] } => {
  const values = [...before]
  const tables = parts.map((part) => {
    const from = values.length
    values.push(...part.values)
    return `, ${part.name} as (${part.text.replace(/\$(\d+)/g, (_, at) => `$${from + Number(at)}`)})`
  })
  return { text: tables.join(''), values }
}
