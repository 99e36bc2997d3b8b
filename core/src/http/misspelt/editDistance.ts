/** Edits between two texts; two letters that changed places are one edit. Quadratic: bound the lengths. */
export const editDistance = (left: string, right: string): number => {
  let before: readonly number[] = []
  let last: readonly number[] = Array.from({ length: right.length + 1 }, (_, at) => at)
  for (let row = 1; row <= left.length; row++) {
    const next = [row]
    for (let at = 1; at <= right.length; at++) {
      const isSame = left[row - 1] === right[at - 1]
      const isSwapped = row > 1 && at > 1 && left[row - 1] === right[at - 2] && left[row - 2] === right[at - 1]
      next[at] = Math.min(
        (last[at] ?? 0) + 1,
        (next[at - 1] ?? 0) + 1,
        (last[at - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[at - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = last
    last = next
  }
  return last[right.length] ?? 0
}
