const WORD_BYTES = 4

const mix = (text: string): number => {
  let hash = 2_166_136_261
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619)
  hash ^= hash >>> 16
  hash = Math.imul(hash, 0x85ebca6b)
  hash ^= hash >>> 13
  return (Math.imul(hash, 0xc2b2ae35) ^ (hash >>> 16)) >>> 0
}

/** Numbers that look random and are always the same for one seed. Not for secrets. */
export class Random {
  #a: number
  #b: number
  #c: number
  #d = 1

  constructor(seed: string) {
    this.#a = mix(`a${seed}`)
    this.#b = mix(`b${seed}`)
    this.#c = mix(`c${seed}`)
    for (let turn = 0; turn < 12; turn += 1) this.word()
  }

  /** 32 bits. */
  word(): number {
    const sum = (((this.#a + this.#b) >>> 0) + this.#d) >>> 0
    this.#d = (this.#d + 1) >>> 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) >>> 0
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) >>> 0
    return sum
  }

  /** From 0 to below 1. */
  share(): number {
    return this.word() / 0x1_0000_0000
  }

  /** A whole number from 0 to below `end`. */
  below(end: number): number {
    return Math.floor(this.share() * end)
  }

  chance(share: number): boolean {
    return this.share() < share
  }

  /** The earlier ones of a list far more often than the later ones. */
  skewed<T>(items: readonly [T, ...T[]]): T {
    return items[Math.floor(items.length * this.share() ** 2)] ?? items[0]
  }

  hex(bytes: number): string {
    const made = Buffer.allocUnsafe(Math.ceil(bytes / WORD_BYTES) * WORD_BYTES)
    for (let at = 0; at < made.length; at += WORD_BYTES) made.writeUInt32BE(this.word(), at)
    return made.toString('hex', 0, bytes)
  }

  /** Letters of an alphabet. */
  text(alphabet: string, length: number): string {
    let text = ''
    for (let at = 0; at < length; at += 1) text += alphabet[this.below(alphabet.length)]
    return text
  }
}
