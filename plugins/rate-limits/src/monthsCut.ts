/** How many firsts of a month (UTC), the one of `from` included, lie at or before `now`; `from` is the first of a month. */
export const monthsCut = (from: Date, now: number): number => {
  const at = new Date(now)
  const months = (at.getUTCFullYear() - from.getUTCFullYear()) * 12 + at.getUTCMonth() - from.getUTCMonth() + 1
  return Math.max(0, months)
}
