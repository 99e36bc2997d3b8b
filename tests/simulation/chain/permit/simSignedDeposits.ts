import { type Hex, ServiceError } from '@causeway/core'
import type {
  FeeQuote,
  PermitForm,
  PermitKind,
  PermitTerms,
  PermitWay,
  SignedDeposits,
  SignedPermit,
} from '@causeway/core/chain'
import { isPermitSigned, type SimPermit } from './simPermit.js'

export interface SimSignedDepositsDeps {
  readonly network: string
  /** The currency that can be moved by a signature. */
  readonly token: string
  feeQuote(): Promise<FeeQuote>
}

/** What the only kind here is called. */
const KIND: PermitKind = 'eip2612'

/** Deposits of a simulated ledger that their owner only signs for. */
export class SimSignedDeposits implements SignedDeposits {
  readonly #deps: SimSignedDepositsDeps

  constructor(deps: SimSignedDepositsDeps) {
    this.#deps = deps
  }

  async kindOf(currency: string): Promise<PermitKind | null> {
    return currency === this.#deps.token ? KIND : null
  }

  async supported(currencies: readonly string[]): Promise<readonly (PermitWay | null)[]> {
    return currencies.map((currency) => (currency === this.#deps.token ? 'permit' : null))
  }

  async form(terms: PermitTerms): Promise<PermitForm> {
    const { owner, money, orderId, expiresAt } = terms
    const value = { orderId, owner, currency: money.currency, amount: money.amount.toString(), expiresAt }
    return {
      terms,
      sign: {
        signatureKind: 'eip712',
        domain: { name: this.#deps.network },
        types: {},
        primaryType: 'Permit',
        value,
      },
    }
  }

  async approvals() {
    return { items: [], cost: 0n }
  }

  async check(form: PermitForm, signature: string): Promise<Hex> {
    // CAST: what is none is no signature of anybody.
    const permit = permitOf({ ...form, signature: signature as Hex })
    if (isPermitSigned(this.#deps.network, permit)) return permit.signature
    throw new ServiceError('PERMIT_FAILED', 'The signature is not that of its owner.')
  }

  fee(): Promise<FeeQuote> {
    return this.#deps.feeQuote()
  }
}

/** A signed permit as the ledger takes it. */
export const permitOf = ({
  terms: { orderId, owner, money, expiresAt },
  signature,
}: Pick<SignedPermit, 'terms' | 'signature'>): SimPermit => ({
  orderId,
  owner,
  currency: money.currency,
  amount: money.amount.toString(),
  expiresAt,
  signature,
})
