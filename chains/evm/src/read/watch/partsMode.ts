import type { LastWay } from './blocks/blockParts.js'

/** Failures in a row after which blocks are read in parts for a while, not one at a time. */
const SEVERAL = 3
/** How long that lasts at first and at most, milliseconds. */
const WHILE_MS = { least: 500, most: 60_000 } as const

/**
 * Whether the next block is read in parts: after a failure to read it whole, and after several in a row for a while, which doubles. A
 * node that answers for no block whole is asked so in vain less and less, and the lag stays bounded (faults.md F165).
 */
export class PartsMode {
  /** How blocks were read last. */
  readonly way: LastWay = { at: 0 }
  #isNext = false
  #failures = 0
  #until = 0

  get isOn(): boolean {
    return this.#isNext || performance.now() < this.#until
  }

  /** A whole block was not answered for. */
  failed(): void {
    this.#isNext = true
    this.#failures = Math.min(this.#failures + 1, 20)
    if (this.#failures < SEVERAL) return
    this.#until = performance.now() + Math.min(WHILE_MS.most, WHILE_MS.least * 2 ** (this.#failures - SEVERAL))
  }

  /** Blocks were read. */
  read(inParts: boolean): void {
    this.#isNext = false
    if (inParts) return
    this.#failures = 0
    this.way.at = 0
  }
}
