import { refuse } from './refusal.js'

const DAY = 86_400_000
/** The exchange takes nonces of a window that is narrower than documented. */
const MARGIN = 120_000
const STORED = 100

/** Nonces of one signer (chains.md hypevm 5). */
class SignerNonces {
  readonly #used = new Set<number>()
  /** The largest ones, in order. */
  #largest: readonly number[] = []

  /** @throws Refusal */
  check(nonce: number, now: number): void {
    if (this.#used.has(nonce)) refuse(`Invalid nonce: duplicate nonce ${nonce}`)
    const [floor = 0] = this.#largest.length < STORED ? [] : this.#largest
    const [least, most] = [Math.max(floor, now - 2 * DAY + MARGIN), now + DAY - MARGIN]
    if (nonce < least) refuse(`Invalid nonce: nonce too low ${nonce} < ${least}`)
    if (nonce > most) refuse(`Invalid nonce: nonce too high ${nonce} > ${most}`)
  }

  use(nonce: number): void {
    this.#used.add(nonce)
    this.#largest = [...this.#largest, nonce].sort((one, other) => one - other).slice(-STORED)
  }
}

/** Nonces of all signers. */
export class Nonces {
  readonly #signers = new Map<string, SignerNonces>()

  of(signer: string): SignerNonces {
    const known = this.#signers.get(signer) ?? new SignerNonces()
    this.#signers.set(signer, known)
    return known
  }
}
