export interface SeedPace {
  readonly total: number
  readonly startedAt: number
}

/** `12000 of 100000 (12 %), 3400 a second, 26 s left`; at the end, what is still done. */
export const paceText = ({ total, startedAt }: SeedPace, done: number, now: number): string => {
  const perSecond = done / Math.max(0.001, (now - startedAt) / 1_000)
  const left = Math.ceil((total - done) / perSecond)
  const rest = done < total ? `${left} s left` : 'indexes follow'
  return `${done} of ${total} (${Math.floor((100 * done) / total)} %), ${Math.round(perSecond)} a second, ${rest}   `
}
