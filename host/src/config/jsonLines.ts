/** A JSON text breaks off or goes wrong on this line. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError'
  constructor(readonly line: number) {
    super(`Line ${line} is not valid JSON.`)
  }
}

const BLANK = /[ \t\r\n]*/y
const STRING = /"(?:[^"\\\n]|\\.)*"/y
const SCALAR = /true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** Reads a JSON text from front to back, noting where each value stands. */
class JsonScanner {
  readonly lines = new Map<string, number>()
  readonly #text: string
  #at = 0
  #line = 1

  constructor(text: string) {
    this.#text = text
  }

  scan(): void {
    this.#value('')
    this.#blank()
    if (this.#at < this.#text.length) this.#fail()
  }

  #fail(): never {
    throw new JsonSyntaxError(this.#line)
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    if (found === undefined) return this.#fail()
    this.#at += found.length
    return found
  }

  #blank(): void {
    this.#line += this.#take(BLANK).split('\n').length - 1
  }

  #skip(character: string): boolean {
    this.#blank()
    if (this.#text[this.#at] !== character) return false
    this.#at += 1
    return true
  }

  #value(path: string): void {
    this.#blank()
    if (!this.lines.has(path)) this.lines.set(path, this.#line)
    if (this.#skip('{')) this.#members('}', () => this.#property(path))
    else if (this.#skip('[')) this.#members(']', (index) => this.#value(`${path}[${index}]`))
    else this.#take(this.#text[this.#at] === '"' ? STRING : SCALAR)
  }

  #members(close: string, readMember: (index: number) => void): void {
    if (this.#skip(close)) return
    for (let index = 0; ; index += 1) {
      readMember(index)
      if (this.#skip(close)) return
      if (!this.#skip(',')) this.#fail()
    }
  }

  #property(path: string): void {
    this.#blank()
    const line = this.#line
    const key: string = JSON.parse(this.#take(STRING))
    const inner = path === '' ? key : `${path}.${key}`
    this.lines.set(inner, line)
    if (!this.#skip(':')) this.#fail()
    this.#value(inner)
  }
}

/** Line (from 1) of every value of a JSON text, by path: `chains[0].id`. @throws JsonSyntaxError */
export const jsonLines = (text: string): ReadonlyMap<string, number> => {
  const scanner = new JsonScanner(text)
  scanner.scan()
  return scanner.lines
}

/** Line of the nearest enclosing value that has one. */
export const lineOf = (lines: ReadonlyMap<string, number>, path: string): number | undefined => {
  for (let inner = path; inner !== ''; inner = inner.replace(/(\.[^.[\]]+|\[\d+\]|^[^.[\]]+)$/, '')) {
    const line = lines.get(inner)
    if (line !== undefined) return line
  }
  return lines.get('')
}
