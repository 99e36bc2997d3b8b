/** Longest that anything but a limit of spending is put off, but for what watches over others: retries wait 30 s at most. */
export const LONGEST_RETRY_MS = 60_000
/** A date that describes the past and lies further ahead than this is wrong. */
export const TOLERANCE_MS = 2_000

const asTime = (milliseconds: string): string => `to_timestamp(${milliseconds} / 1000.0)`

/** Now, of a statement whose `$1` is business time in Unix milliseconds. */
export const NOW = asTime('$1')

/** Condition: a column lies more than so many milliseconds ahead of it. */
export const beyond = (column: string, milliseconds: number | string): string =>
  `${column} > ${asTime(`($1 + ${milliseconds})`)}`
