import pc from 'picocolors'

/** Plain lines on stdout: the demo reads the same in a terminal, a pipe and a build log. */
export const screen = {
  title: (text: string): void => console.log(`\n${pc.bold(text)}`),
  /** Opens a chapter of the story. */
  step: (number: number, text: string): void => console.log(`\n${pc.cyan(String(number))}  ${pc.bold(text)}`),
  /** One fact, with its name before it. */
  fact: (name: string, text: string): void => console.log(`   ${pc.dim(name.padEnd(9))}  ${text}`),
  good: (text: string): void => console.log(`   ${pc.green('✓')} ${text}`),
  bad: (text: string): void => console.log(`   ${pc.red('✗')} ${text}`),
  /** What another process said. */
  quiet: (text: string): void => console.log(pc.dim(`   ${text}`)),
  /** Columns as wide as their widest cell; the first row is the heading. Columns named in `right` hold numbers. */
  table: (rows: readonly (readonly string[])[], right: readonly number[] = []): void => {
    const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
    for (const [index, row] of rows.entries()) {
      const cells = row.map((cell, at) =>
        right.includes(at) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0),
      )
      const line = `   ${cells.join('   ').trimEnd()}`
      console.log(index === 0 ? pc.dim(line) : line)
    }
  },
}

/** `12 ms`, from a duration of `performance.now()`. */
export const ms = (duration: number): string => `${Math.round(duration)} ms`

/** `0x1234abcd…9876`. */
export const short = (hash: string): string => `${hash.slice(0, 10)}…${hash.slice(-4)}`

/** The middle one of some durations, and the longest. */
export const spread = (durations: readonly number[]): string => {
  const sorted = durations.toSorted((a, b) => a - b)
  return `half within ${ms(sorted[Math.ceil(sorted.length / 2) - 1] ?? 0)}, all within ${ms(sorted.at(-1) ?? 0)}`
}
