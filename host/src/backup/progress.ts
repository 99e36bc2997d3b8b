const EVERY_MS = 5_000

/** Bytes for people. */
export const sizeText = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`

/** Tells now and then what a long run is at: the table it has come to, and how much there is. */
export const progress = (
  print: (line: string) => void,
  doing: string,
  size?: () => number,
): ((table: string | undefined) => void) => {
  let told = performance.now()
  return (table) => {
    if (table === undefined || performance.now() - told < EVERY_MS) return
    told = performance.now()
    print(`${doing} ${table}${size === undefined ? '' : `, ${sizeText(size())} so far`}`)
  }
}
