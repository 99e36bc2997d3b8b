import { NATIVE } from '../../adapter/ledgerChain/src/address.js'
import { permitKey, type SimPermitTerms } from './permit/simPermit.js'
import type { SimRevocation, SimTransfer, SweptMoney } from './simTransaction.js'

const revocationKey = (permit: SimRevocation): string => `revoked ${permitKey(permit)}`

/** Sequence of an account that never sent anything. */
const FIRST_SEQUENCE = 1

/** Balances, sequences and permits that were used, after a block. */
export class SimState {
  readonly #balances: Map<string, bigint>
  readonly #sequences: Map<string, number>
  readonly #used: Set<string>

  constructor(
    balances?: ReadonlyMap<string, bigint>,
    sequences?: ReadonlyMap<string, number>,
    used?: ReadonlySet<string>,
  ) {
    this.#balances = new Map(balances)
    this.#sequences = new Map(sequences)
    this.#used = new Set(used)
  }

  /** Another one, to be changed. */
  copy(): SimState {
    return new SimState(this.#balances, this.#sequences, this.#used)
  }

  balance(account: string, currency: string): bigint {
    return this.#balances.get(`${account}:${currency}`) ?? 0n
  }

  /** The number that the account takes next. */
  sequence(account: string): number {
    return this.#sequences.get(account) ?? FIRST_SEQUENCE
  }

  /** Never below nothing. */
  add(account: string, currency: string, amount: bigint): void {
    const sum = this.balance(account, currency) + amount
    this.#balances.set(`${account}:${currency}`, sum < 0n ? 0n : sum)
  }

  /** Takes the fee and the number of a transfer, whatever becomes of it. */
  charge({ account, sequence, fee }: SimTransfer): void {
    this.add(account, NATIVE, -BigInt(fee))
    this.#sequences.set(account, Math.max(this.sequence(account), sequence + 1))
  }

  /** Whether a permit has moved its money. */
  isUsed(permit: SimPermitTerms): boolean {
    return this.#used.has(permitKey(permit))
  }

  /** Whether its owner made a permit void. */
  isRevoked(permit: SimPermitTerms): boolean {
    return this.#used.has(revocationKey(permit))
  }

  revoke(permit: SimRevocation): void {
    this.#used.add(revocationKey(permit))
  }

  use(permit: SimPermitTerms): void {
    this.#used.add(permitKey(permit))
  }

  /** All of these currencies that lies at `from`; what it moved. */
  sweep({ from, to }: SimTransfer, currencies: readonly string[]): readonly SweptMoney[] {
    return currencies.flatMap((currency) => {
      const amount = this.balance(from, currency)
      if (amount === 0n) return []
      this.add(from, currency, -amount)
      this.add(to, currency, amount)
      return [{ currency, amount: amount.toString() }]
    })
  }

  move({ from, to, currency, amount }: SimTransfer): void {
    this.add(from, currency, -BigInt(amount))
    this.add(to, currency, BigInt(amount))
  }
}
