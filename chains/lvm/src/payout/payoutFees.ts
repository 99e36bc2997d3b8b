import type { FeeQuote, Payout } from '@causeway/core/chain'
import { keptAnswers } from '@causeway/core/chain-kit'
import { NATIVE, PLACEHOLDERS } from '../address/addresses.js'
import type { AccountTokens } from '../rpc/accountTokens.js'
import type { LighterPool } from '../rpc/lighterNode.js'
import { askTransferFee } from '../rpc/transferFee.js'

/** The question costs many of the requests that the exchange allows; it refuses a payment with an old fee. */
const KEPT_MS = 30_000
const MOST_KEPT = 1000

export interface TransferFeesDeps {
  readonly depository: string
  /** Empty where it is not known. */
  readonly solver: string
  readonly pool: LighterPool
  readonly tokens: Pick<AccountTokens, 'using'>
}

/** Fixed fees of transfers in USDC, whatever the asset (chains.md lvm 7). The exchange sets the fee of each pair of accounts. */
export class TransferFees {
  readonly #deps: TransferFeesDeps
  readonly #own: (from: string, to: string) => Promise<bigint>
  #refusals = 0

  constructor(deps: TransferFeesDeps) {
    this.#deps = deps
    const { pool, tokens } = deps
    // The third term makes an answer from before a refusal a different one.
    const kept = keptAnswers(
      KEPT_MS,
      (from: string, to: string, _refusals: string) =>
        tokens.using(from, (token) => askTransferFee(pool, { from, to, token })),
      MOST_KEPT,
    )
    this.#own = (from, to) => kept(from, to, String(this.#refusals))
  }

  /** Fee of a transfer from an account of the service. A placeholder costs the fee of the depository. */
  transferFee(from: string, to: string): Promise<bigint> {
    const { depository } = this.#deps
    return this.#own(from, PLACEHOLDERS.includes(to) ? depository : to)
  }

  /**
   * Fee of a user's transfer to the depository: that of the way back, since only the user may ask for the former. A placeholder pays that
   * of a transfer to the solver.
   */
  depositFee(user: string): Promise<bigint> {
    const { depository, solver } = this.#deps
    return this.#own(depository, PLACEHOLDERS.includes(user) || user === NATIVE ? solver || depository : user)
  }

  /** The exchange refused a fee: the known ones are old. */
  refused(): void {
    this.#refusals += 1
  }

  async payoutFee({ from, to, purpose }: Payout): Promise<FeeQuote> {
    const payer = purpose === 'withdraw' ? this.#deps.depository : from
    return quoteOf(await this.transferFee(payer, to.address))
  }

  async depositQuote(user: string): Promise<FeeQuote> {
    return quoteOf(await this.depositFee(user))
  }
}

const quoteOf = (amount: bigint): FeeQuote => ({ network: { currency: NATIVE, amount }, validForMs: KEPT_MS })
