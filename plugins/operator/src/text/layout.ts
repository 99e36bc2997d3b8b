/** `1 deposit`, `12 deposits`. */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

/** Widest line of the human text. */
export const COLUMNS = 100
/** Where text begins behind its label. */
const LABEL = 13
/** Where a word begins that is too long to stand behind a label, such as some transaction ids. */
const NARROW = 4

/** A label and its text, wrapped to the columns with the text hanging. Words are never cut: ids stay copyable. */
export const labelled = (label: string, text: string, indent = 2): string[] =>
  wrap(text, `${' '.repeat(indent)}${label.padEnd(LABEL - 1)} `)

/** Text wrapped to the columns behind an indent, later lines further in. */
export const indented = (text: string, indent: number): string[] => wrap(text, ' '.repeat(indent), indent + 4)

const wrap = (text: string, first: string, hang = first.length): string[] => {
  const lines: string[] = []
  let line = first
  let empty = true
  for (const word of text.split(' ')) {
    if (line.length + word.length + (empty ? 0 : 1) > COLUMNS && !(empty && lines.length > 0)) {
      if (line.trim() !== '') lines.push(line.trimEnd())
      line = ' '.repeat(hang + word.length > COLUMNS ? NARROW : hang)
      empty = true
    }
    line += empty ? word : ` ${word}`
    empty = false
  }
  return [...lines, line.trimEnd()]
}
