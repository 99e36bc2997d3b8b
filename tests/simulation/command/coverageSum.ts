/** Counts of anything, by kind and name. */
export type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>

/** What several runs counted together. */
export const sumCoverage = (all: readonly Counts[]): Counts => {
  const sums: Record<string, Record<string, number>> = {}
  for (const [kind, counts] of all.flatMap((one) => Object.entries(one))) {
    const sum = sums[kind] ?? {}
    for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count
    sums[kind] = sum
  }
  return sums
}

/** Each count in a line, by kind. */
export const coverageText = (counts: Counts): string =>
  Object.entries(counts)
    .map(([kind, names]) => {
      const lines = Object.entries(names).map(([name, count]) => `  ${name.padEnd(40)}${String(count).padStart(9)}`)
      return [`${kind}: ${lines.length}`, ...lines].join('\n')
    })
    .join('\n')
