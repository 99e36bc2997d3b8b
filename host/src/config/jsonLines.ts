/** Line (from 1) of every value of a JSON text, by path: `chains[0].id`. The text must be valid JSON. */
export const jsonLines = (text: string): ReadonlyMap<string, number> => {
  const lines = new Map<string, number>()
  let at = 0
  let line = 1

  const skipBlank = () => {
    for (; /\s/.test(text[at] ?? ''); at += 1) if (text[at] === '\n') line += 1
  }
  const readString = (): string => {
    const start = at
    for (at += 1; text[at] !== '"'; at += 1) if (text[at] === '\\') at += 1
    at += 1
    return JSON.parse(text.slice(start, at))
  }
  const readMembers = (close: string, readMember: (index: number) => void) => {
    at += 1
    skipBlank()
    for (let index = 0; text[at] !== close; index += 1) {
      readMember(index)
      skipBlank()
      if (text[at] === ',') at += 1
      skipBlank()
    }
    at += 1
  }
  const readValue = (path: string): void => {
    skipBlank()
    if (!lines.has(path)) lines.set(path, line)
    const first = text[at]
    if (first === '"') readString()
    else if (first === '[') readMembers(']', (index) => readValue(`${path}[${index}]`))
    else if (first === '{') {
      readMembers('}', () => {
        const keyLine = line
        const key = readString()
        const inner = path === '' ? key : `${path}.${key}`
        lines.set(inner, keyLine)
        skipBlank()
        at += 1
        readValue(inner)
      })
    } else while (at < text.length && !/[\s,\]}]/.test(text[at] ?? '')) at += 1
  }
  readValue('')
  return lines
}

/** Line of the nearest enclosing value that has one. */
export const lineOf = (lines: ReadonlyMap<string, number>, path: string): number | undefined => {
  for (let inner = path; inner !== ''; inner = inner.replace(/(\.[^.[\]]+|\[\d+\]|^[^.[\]]+)$/, '')) {
    const line = lines.get(inner)
    if (line !== undefined) return line
  }
  return lines.get('')
}
