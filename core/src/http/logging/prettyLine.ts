const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** A JSON log line as text for a person: `12:00:00.123 INFO message key=value`. Text that is not JSON stays as it is. */
export const prettyLine = (line: string): string => {
  let entry: unknown
  try {
    entry = JSON.parse(line)
  } catch {
    return line
  }
  if (typeof entry !== 'object' || entry === null) return line
  const { time, level, msg, ...fields } = entry as Record<string, unknown>
  const clock = typeof time === 'string' ? time.slice(11, 23) : ''
  const label = String(level ?? '')
    .toUpperCase()
    .padEnd(5)
  const rest = Object.entries(fields).map(([key, value]) => `${key}=${shown(value)}`)
  return `${[clock, label, ...(msg === undefined ? [] : [String(msg)]), ...rest].join(' ')}\n`
}
