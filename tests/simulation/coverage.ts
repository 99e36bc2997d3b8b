/** How often what was visited. */
export type CoverageCounts = Readonly<Record<string, number>>

export const mergeCoverage = (counts: readonly CoverageCounts[]): CoverageCounts => {
  const sums: Record<string, number> = {}
  for (const [name, count] of counts.flatMap((each) => Object.entries(each))) sums[name] = (sums[name] ?? 0) + count
  return sums
}

export const coverageText = (counts: CoverageCounts): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join('\n')

/** What was never visited of all that there is. */
export const unvisited = (_counts: CoverageCounts): readonly string[] => []
