/** The value below which `share` of the sorted numbers lie. */
export const percentile = (sorted: ArrayLike<number>, share: number): number => {
  const at = Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * share) - 1))
  return sorted[at] ?? Number.NaN
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((left, right) => left - right)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
}

/** One thing that is measured; a call is one round of it. */
export type Contestant = () => Promise<Readonly<Record<string, number>>>

/**
 * Runs every contestant once a round, in turn and in changing order, so that what else the machine does hits all alike.
 * Returns the median over the rounds of each number.
 */
export const interleave = async <Name extends string>(
  rounds: number,
  contestants: Readonly<Record<Name, Contestant>>,
  onRound: (round: number) => void,
): Promise<Record<Name, Record<string, number>>> => {
  // CAST: Object.entries loses the names of the keys.
  const entries = Object.entries(contestants) as [Name, Contestant][]
  const seen = new Map<Name, Map<string, number[]>>(entries.map(([name]) => [name, new Map()]))
  for (let round = 0; round < rounds; round += 1) {
    onRound(round)
    const order = entries.map((_, index) => entries[(index + round) % entries.length])
    for (const entry of order) {
      if (entry === undefined) continue
      const [name, contestant] = entry
      for (const [key, value] of Object.entries(await contestant())) {
        const values = seen.get(name)
        values?.set(key, [...(values.get(key) ?? []), value])
      }
    }
  }
  const medians = entries.map(([name]) => [
    name,
    Object.fromEntries([...(seen.get(name) ?? [])].map(([key, values]) => [key, median(values)])),
  ])
  // CAST: the same names as came in.
  return Object.fromEntries(medians) as Record<Name, Record<string, number>>
}
