import type { Hex } from '@causeway/core'
import type { ChainMoney } from '@causeway/core/chain'
import { addressOfTerms, type SimSweep } from './address/simSweep.js'
import { type SimPermit, type SimPermitTerms, signPermit } from './permit/simPermit.js'
import { type SimKey, simKey } from './simKeys.js'
import type { SimLedger } from './simLedger.js'
import { type SimTransfer, signTransfer, simId } from './simTransaction.js'

export interface UserPayment {
  readonly money: ChainMoney
  /** The order id; anything else is a memo that names none. */
  readonly memo: string
  /** The depository unless told. */
  readonly to?: string
  /** What is offered for inclusion; what blocks take now unless told. */
  readonly fee?: bigint
  /** Blocks within which it must land; 200 unless told. */
  readonly lifetime?: number
}

export interface SignedPayment {
  readonly id: string
  readonly raw: Hex
  readonly transfer: SimTransfer
}

/** Blocks within which a user's payment must land. */
const LIFETIME = 200

/** Somebody with a wallet, on every ledger the same account. */
export class SimUser {
  readonly address: string
  readonly #key: SimKey
  #made = 0

  constructor(name: string) {
    this.#key = simKey(`user ${name}`)
    this.address = this.#key.address
  }

  /** Signs a sweep of a deposit address, as anybody may who knows its terms. */
  sweep(ledger: SimLedger, sweep: SimSweep): SignedPayment {
    const [currency = ledger.coin] = sweep.currencies
    const memo = `${sweep.orderId} sweep`
    const { transfer } = this.deposit(ledger, { money: { currency, amount: 1n }, memo })
    const own = { ...transfer, from: addressOfTerms(sweep), sweep }
    return { id: simId(own), raw: signTransfer(own, [this.#key]), transfer: own }
  }

  /** Signs for a deposit that somebody else sends. */
  permit(ledger: SimLedger, terms: SimPermitTerms): SimPermit {
    return signPermit(ledger.slug, terms, this.#key)
  }

  /** Signs a transaction that makes a permit of its own void. */
  revoke(ledger: SimLedger, { orderId, owner, currency }: SimPermit): SignedPayment {
    const money = { currency: ledger.coin, amount: 1n }
    const { transfer } = this.deposit(ledger, { money, memo: '', to: this.address, fee: ledger.fee * 2n })
    const own = { ...transfer, revokes: { orderId, owner, currency } }
    return { id: simId(own), raw: signTransfer(own, [this.#key]), transfer: own }
  }

  /** Signs a transaction that brings in what somebody signed for, as anybody may who knows the permit. */
  bringIn(ledger: SimLedger, permit: SimPermit): SignedPayment {
    const { orderId, owner, currency, amount } = permit
    const memo = `${orderId} origin`
    const { transfer } = this.deposit(ledger, {
      money: { currency, amount: BigInt(amount) },
      memo,
      fee: ledger.fee * 2n,
    })
    const own = { ...transfer, from: owner, permit }
    return { id: simId(own), raw: signTransfer(own, [this.#key]), transfer: own }
  }

  /** Signs a payment, fit or unfit; it is sent by `SimLedger.submit`, or again. */
  deposit(ledger: SimLedger, payment: UserPayment): SignedPayment {
    const { money, memo, to = ledger.depository, fee = ledger.fee, lifetime = LIFETIME } = payment
    this.#made += 1
    const transfer = {
      network: ledger.slug,
      account: this.address,
      from: this.address,
      to,
      currency: money.currency,
      amount: money.amount.toString(),
      memo,
      fee: fee.toString(),
      sequence: ledger.kind === 'final' ? ledger.sequence(this.address) : this.#made,
      validUntil: ledger.head.height + lifetime,
    }
    return { id: simId(transfer), raw: signTransfer(transfer, [this.#key]), transfer }
  }
}
