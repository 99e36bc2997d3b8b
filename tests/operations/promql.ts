/** A series an expression asks for. */
export interface Selector {
  readonly metric: string
  readonly matchers: readonly { readonly label: string; readonly operator: string; readonly value: string }[]
}

/** What an aggregation keeps of the series inside it. */
export interface Grouping {
  readonly labels: readonly string[]
  readonly metrics: readonly string[]
}

export interface Expression {
  readonly selectors: readonly Selector[]
  readonly groupings: readonly Grouping[]
}

const TOKEN =
  /\s*(?:("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(\d+(?:ms|[smhdwy]))|(\d+(?:\.\d+)?)|([a-zA-Z_:][a-zA-Z0-9_:]*)|(=~|!~|==|!=|>=|<=|[-+*/%^=<>(){}[\],]))/y
const AGGREGATIONS = new Set(['sum', 'min', 'max', 'avg', 'count', 'topk'])
const FUNCTIONS = new Set([
  'rate',
  'increase',
  'histogram_quantile',
  'max_over_time',
  'min_over_time',
  'absent',
  'abs',
  'clamp_min',
])
const RANGED = new Set(['rate', 'increase', 'max_over_time', 'min_over_time'])
const LEVELS = [['or'], ['and', 'unless'], ['==', '!=', '>', '<', '>=', '<='], ['+', '-'], ['*', '/', '%'], ['^']]

const tokensOf = (text: string): string[] => {
  const tokens: string[] = []
  const source = text.trim()
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < source.length) {
    const at = TOKEN.lastIndex
    const match = TOKEN.exec(source)
    if (match === null) throw new Error(`Not PromQL from "${source.slice(at, at + 20)}" on: ${text}`)
    tokens.push(match[0].trim())
  }
  return tokens
}

/** Reads the part of PromQL that rules and panels use, strictly. @throws Error naming the expression */
export const parsePromql = (text: string): Expression => {
  const parser = new Parser(text)
  parser.expression()
  parser.end()
  return { selectors: parser.selectors, groupings: parser.groupings }
}

class Parser {
  readonly selectors: Selector[] = []
  readonly groupings: Grouping[] = []
  readonly #text: string
  readonly #tokens: readonly string[]
  #at = 0

  constructor(text: string) {
    this.#text = text
    this.#tokens = tokensOf(text)
  }

  end(): void {
    if (this.#at < this.#tokens.length) this.#fail()
  }

  expression(level = 0): void {
    const operators = LEVELS[level]
    if (operators === undefined) {
      this.#operand()
      return
    }
    this.expression(level + 1)
    while (operators.includes(this.#peek())) {
      this.#next()
      if (this.#peek() === 'on' || this.#peek() === 'ignoring') {
        this.#next()
        this.#names()
      }
      this.expression(level + 1)
    }
  }

  #operand(): void {
    const token = this.#next()
    if (/^\d+(\.\d+)?$/.test(token)) return
    if (token === '(') {
      this.expression()
      this.#expect(')')
    } else if (AGGREGATIONS.has(token)) this.#aggregation()
    else if (this.#peek() === '(') this.#call(token)
    else if (/^[a-z_:]/i.test(token)) this.#selector(token, false)
    else this.#fail()
  }

  #aggregation(): void {
    const from = this.selectors.length
    let labels: readonly string[] = []
    if (this.#peek() === 'by') {
      this.#next()
      labels = this.#names()
    }
    this.#expect('(')
    this.expression()
    this.#expect(')')
    this.groupings.push({ labels, metrics: this.selectors.slice(from).map(({ metric }) => metric) })
  }

  #call(name: string): void {
    if (!FUNCTIONS.has(name)) this.#fail()
    this.#expect('(')
    if (RANGED.has(name)) this.#selector(this.#next(), true)
    else {
      this.expression()
      while (this.#peek() === ',') {
        this.#next()
        this.expression()
      }
    }
    this.#expect(')')
  }

  #selector(metric: string, ranged: boolean): void {
    const matchers: Selector['matchers'][number][] = []
    if (this.#peek() === '{') {
      do {
        this.#next()
        const label = this.#next()
        const operator = this.#next()
        const value = this.#next()
        if (!['=', '!=', '=~', '!~'].includes(operator) || !/^["']/.test(value)) this.#fail()
        matchers.push({ label, operator, value: value.slice(1, -1) })
      } while (this.#peek() === ',')
      this.#expect('}')
    }
    if (ranged) {
      this.#expect('[')
      if (!/^\d+(ms|[smhdwy])$/.test(this.#next())) this.#fail()
      this.#expect(']')
    }
    this.selectors.push({ metric, matchers })
  }

  #names(): string[] {
    const names: string[] = []
    this.#expect('(')
    do names.push(this.#next())
    while (this.#peek() === ',' && this.#next() === ',')
    this.#expect(')')
    return names
  }

  #peek(): string {
    return this.#tokens[this.#at] ?? ''
  }

  #next(): string {
    const token = this.#tokens[this.#at]
    if (token === undefined) return this.#fail()
    this.#at += 1
    return token
  }

  #expect(token: string): void {
    if (this.#next() !== token) this.#fail()
  }

  #fail(): never {
    throw new Error(`Not well formed at word ${this.#at} (${this.#peek()}): ${this.#text}`)
  }
}
