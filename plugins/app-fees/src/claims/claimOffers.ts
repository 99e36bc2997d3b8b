import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Hex } from '@causeway/core'
import { type ClaimTerms, claimIdOf, type Deployment, type Keys, type NewClaim } from '@causeway/core/plugin'

export interface ClaimOffersDeps {
  readonly keys: Pick<Keys, 'derive'>
  readonly deployment: Pick<Deployment, 'network'>
}

/** Contents of the text of an offer. */
interface Offered extends ClaimTerms {
  /** Unix milliseconds. */
  readonly expiresAt: number
  readonly nonce: string
}

const MAC_BYTES = 32
const TEXT = /^[A-Za-z0-9_-]{44,4096}$/

/**
 * Claims that wait for a signature. Each travels as a text with a keyed hash (wire.md 4.12), so that no caller can use up room for the
 * offers of a wallet (faults.md F153): the service stores a claim once its wallet has signed it.
 */
export class ClaimOffers {
  readonly #deps: ClaimOffersDeps
  #key: Uint8Array | undefined

  constructor(deps: ClaimOffersDeps) {
    this.#deps = deps
  }

  /** The id that the wallet signs, and the text that comes back with the signature; `expiresAt` in Unix milliseconds. */
  make(terms: ClaimTerms, expiresAt: number): { readonly id: Hex; readonly text: string } {
    const offered = { ...terms, expiresAt, nonce: randomBytes(16).toString('hex') }
    const body = Buffer.from(
      JSON.stringify(offered, (_name, value) => (typeof value === 'bigint' ? `${value}` : value)),
    )
    return { id: this.#idOf(offered), text: Buffer.concat([this.#mac(body), body]).toString('base64url') }
  }

  /** The claim of an offer of this deployment; null for any other text, and where it is not that of the id. */
  read(id: Hex, text: string | undefined): NewClaim | null {
    if (text === undefined || !TEXT.test(text)) return null
    const bytes = Buffer.from(text, 'base64url')
    const [mac, body] = [bytes.subarray(0, MAC_BYTES), bytes.subarray(MAC_BYTES)]
    if (mac.length !== MAC_BYTES || !timingSafeEqual(mac, this.#mac(body))) return null
    const { nonce, ...claim } = readOffered(body)
    return this.#idOf({ ...claim, nonce }) === id ? { ...claim, id } : null
  }

  #idOf({ nonce, ...terms }: ClaimTerms & Pick<Offered, 'nonce'>): Hex {
    return claimIdOf(terms, { deployment: this.#deps.deployment.network, nonce })
  }

  #mac(body: Buffer): Buffer {
    this.#key ??= this.#deps.keys.derive('app-fees/claim-offers')
    return createHmac('sha256', this.#key).update(body).digest()
  }
}

const readOffered = (body: Buffer): Offered => {
  // Signed, so it is what was written: amounts as decimal text.
  const { minimum, balance, ...rest } = JSON.parse(body.toString())
  return { ...rest, minimum: BigInt(minimum), balance: { ...balance, amount: BigInt(balance.amount) } }
}
