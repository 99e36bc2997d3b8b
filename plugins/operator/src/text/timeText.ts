const UNITS = [
  { name: 'd', ms: 86_400_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'min', ms: 60_000 },
  { name: 's', ms: 1_000 },
] as const

/** A span in its largest fitting unit, whole: `12 s`, `3 min`. */
export const span = (milliseconds: number): string => {
  const unit = UNITS.find(({ ms }) => milliseconds >= ms)
  return unit === undefined ? `${milliseconds} ms` : `${Math.floor(milliseconds / unit.ms)} ${unit.name}`
}

/** When something is due, seen from now: `in 12 s`, `overdue by 3 min`, `now`. */
export const due = (at: number, now: number): string => {
  if (Math.abs(at - now) < 1_000) return 'now'
  return at > now ? `in ${span(at - now)}` : `overdue by ${span(now - at)}`
}

/** UTC to the millisecond: `2026-11-21 08:05:07.123Z`. */
export const instant = (at: number): string => new Date(at).toISOString().replace('T', ' ')
