import { need, Refusal } from '../engine/refusal.js'

/** Parameters of a call, from its query and its form. */
export class Params {
  constructor(readonly all: URLSearchParams) {}

  text(name: string): string {
    const value = this.all.get(name)
    need(value !== null && value !== '', 'invalidParam', name)
    return value
  }

  /** @throws Refusal unless the value is an integer from 0 to `most` */
  integer(name: string, most = Number.MAX_SAFE_INTEGER): number {
    const value = this.text(name)
    need(/^\d{1,16}$/.test(value) && Number(value) <= most, 'invalidParam', name)
    return Number(value)
  }

  /** As `integer`; the default if the call leaves the parameter out. */
  optional(name: string, most: number, byDefault: number): number {
    return this.all.has(name) ? this.integer(name, most) : byDefault
  }

  /** Decimal text of an index. */
  index(name: string): string {
    return `${this.integer(name)}`
  }

  /** The value of `by`, which names a kind of `value`. */
  by(...kinds: readonly string[]): string {
    const by = this.text('by')
    if (kinds.includes(by)) return by
    throw new Refusal('invalidParam', 'by')
  }
}
