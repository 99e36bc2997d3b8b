const UNITS = [
  ['days', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const

/** How long something lasted, in the largest unit of which it has two at least; rounded up, so that no age is told too young. */
export const ageText = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1_000))
  const [unit, length] = UNITS.find(([, size]) => seconds >= 2 * size) ?? ['s', 1]
  return `${Math.ceil(seconds / length)} ${unit}`
}
