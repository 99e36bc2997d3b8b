/** Edits (insert, delete, replace, swap of neighbours) that turn one word into the other. */
const distance = (left: string, right: string): number => {
  const rows: number[][] = Array.from({ length: left.length + 1 }, (_, row) => [row])
  const at = (row: number, column: number): number => rows[row]?.[column] ?? row + column
  for (let column = 0; column <= right.length; column += 1) (rows[0] as number[])[column] = column
  for (let row = 1; row <= left.length; row += 1) {
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1]
      let best = Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + (same ? 0 : 1))
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      if (swapped)
        best = Math.min(best, at(row - 2, column - 2) + 1)
        // CAST: the row was made above.
      ;(rows[row] as number[])[column] = best
    }
  }
  return at(left.length, right.length)
}

/** The name that was probably meant, or undefined when none is near. */
export const nearestName = (name: string, known: readonly string[]): string | undefined => {
  const wanted = name.toLowerCase()
  const ranked = known
    .map((candidate) => ({ candidate, edits: distance(wanted, candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)
  const best = ranked[0]
  if (best === undefined) return undefined
  return best.edits <= Math.max(1, Math.floor(name.length / 3)) ? best.candidate : undefined
}
