import { open } from 'node:fs/promises'
import { redactErrorMessage } from '@causeway/core/host'

/** A line of the log for people. */
export interface LogLine {
  /** ISO 8601; null where the line has no time. */
  readonly at: string | null
  readonly level: string | null
  readonly text: string
}

export interface LogPart {
  readonly lines: readonly LogLine[]
  /** Where the next part begins, in bytes. */
  readonly next: number
}

const MAX_BYTES = 64 * 1024
const MAX_LINES = 200
const MAX_TEXT = 600
const NEWLINE = 10

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** An entry as a person reads it; what is no JSON stays as it is. */
const plainLine = (line: string): LogLine => {
  let entry: unknown
  try {
    entry = JSON.parse(line)
  } catch {
    return { at: null, level: null, text: line }
  }
  if (typeof entry !== 'object' || entry === null) return { at: null, level: null, text: line }
  // CAST: an object, looked at member by member.
  const { time, level, msg, ...fields } = entry as Record<string, unknown>
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${shown(value)}`)
  return {
    at: typeof time === 'string' ? time : null,
    level: typeof level === 'string' ? level : null,
    text: [...(msg === undefined ? [] : [shown(msg)]), ...rest].join(' '),
  }
}

const safeLine = (line: string, secrets: readonly string[]): LogLine => {
  const plain = plainLine(line)
  const text = secrets.reduce((left, secret) => left.replaceAll(secret, '[redacted]'), plain.text)
  return { ...plain, text: redactErrorMessage(text).slice(0, MAX_TEXT) }
}

/** Whole lines of the end of a file behind `after`, at most `MAX_BYTES`. */
const readEnd = async (file: string, after: number): Promise<{ readonly text: string; readonly next: number }> => {
  const handle = await open(file, 'r').catch(() => null)
  if (handle === null) return { text: '', next: 0 }
  try {
    const { size } = await handle.stat()
    // A file that is shorter than what was read of it is another one.
    const wanted = after <= size ? after : 0
    const from = Math.max(wanted, size - MAX_BYTES)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - from), 0, size - from, from)
    const bytes = buffer.subarray(0, bytesRead)
    const end = bytes.lastIndexOf(NEWLINE) + 1
    const begin = from === wanted ? 0 : bytes.indexOf(NEWLINE) + 1
    if (end === 0) return { text: '', next: from === wanted ? wanted : size }
    return { text: bytes.subarray(Math.min(begin, end), end).toString('utf8'), next: from + end }
  } finally {
    await handle.close()
  }
}

/**
 * The last lines of a host's log that were written after a place in it. What the host itself left out of its log stays out, and so do
 * `secrets` where anything else wrote them.
 */
export const readHostLog = async (
  file: string,
  { after, secrets }: { readonly after: number; readonly secrets: readonly string[] },
): Promise<LogPart> => {
  const { text, next } = await readEnd(file, after)
  const lines = text.split('\n').filter((line) => line !== '')
  return { lines: lines.slice(-MAX_LINES).map((line) => safeLine(line, secrets)), next }
}
