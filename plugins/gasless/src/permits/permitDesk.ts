import { type Clock, parseDestination, ServiceError } from '@causeway/core'
import {
  type Payout,
  type PermitForm,
  quorumDemand,
  type SignedDeposits,
  type SignedPermit,
  type Simulation,
} from '@causeway/core/chain'
import {
  acceptOrigin,
  type Chain,
  type ChainRegistry,
  type DatabasePool,
  failpoint,
  type NewOrigin,
  type OriginAnswer,
  type PermitCall,
  type QuoteStore,
  type QuoteTerms,
  storedPermit,
  usdValue,
  withTransaction,
} from '@causeway/core/plugin'
import { type LossCaps, relayCaller } from '../losses/lossCaps.js'
import { type RelayFee, type RelayFeeDeps, relayFee } from '../losses/relayFee.js'
import { countRelayed } from '../losses/relayLosses.js'
import { requireNoOpenPermit } from './openPermits.js'
import { type PermitTolerance, permitFeeLimit } from './permitCharge.js'
import type { PermitFees } from './permitFees.js'
import { readQuotedPermit } from './quotedPermit.js'

export interface PermitDeskDeps extends RelayFeeDeps {
  readonly pool: DatabasePool
  readonly clock: Clock
  readonly chains: ChainRegistry
  readonly quotes: QuoteStore
  readonly fees: PermitFees
  readonly tolerance: PermitTolerance
  readonly caps: LossCaps
}

/** `deposited`: the money is in the depository, by whomever it was sent. */
export type PermitOutcome = 'taken' | 'deposited'

/** A quote that its user signs for. */
interface SignedQuote {
  readonly terms: QuoteTerms
  readonly form: PermitForm
  readonly chain: Chain
  readonly permits: SignedDeposits
  /** Account that sends its deposit; it holds gas and nothing else. */
  readonly sender: string
  /** Network fee that the quote charged, native smallest unit; null: it is not known. */
  readonly charged: bigint | null
}

/** Expected and most cost of a deposit. */
interface PermitCost extends RelayFee {
  readonly gas: bigint
  readonly charged: bigint
  readonly feeLimit: bigint
}

/** What the payout of a quote says. */
interface TakenPermit {
  readonly signature: string
  readonly fail_reason: string | null
  readonly details: string | null
  readonly deposited: boolean
}

/** The request is told as overdue so long after the permit has ended. */
const AFTER_EXPIRY_MS = 600_000

const failed = (message: string): ServiceError => new ServiceError('PERMIT_FAILED', message)

/** Takes the signatures of quotes that are paid by one, and has their deposits sent, once each (wire.md 2.7, F.2). */
export class PermitDesk {
  readonly #deps: PermitDeskDeps

  constructor(deps: PermitDeskDeps) {
    this.#deps = deps
  }

  /**
   * The same signature posted again, or by many at once, is one deposit. Throws ServiceError `PERMIT_FAILED` for what is not signed by its owner,
   * has expired, or cannot move the money; `INVALID_REQUEST` for a request that takes no signature.
   */
  async execute(call: PermitCall): Promise<PermitOutcome> {
    const { kind, requestId, signature: text } = call
    const [quote, taken] = await Promise.all([this.#quoteOf(requestId, kind), this.#taken(requestId)])
    const { form, chain, permits } = quote
    this.#requireCurrency(chain, form)
    // A contract that vouches costs the gas of what is sent for it, whatever the amount.
    const { agreeing } = quorumDemand(chain.config, null)
    const signature = await permits.check(form, text, { agreeing })
    const permit: SignedPermit = { ...form, signature }
    if (taken !== null) return judgeTaken(taken, permit)
    if (this.#deps.clock.now() >= form.terms.expiresAt * 1000) {
      throw failed('The time of this signature is over. Ask for a new quote.')
    }
    const payout = payoutOf(quote, permit)
    const simulation = await simulate(chain, payout)
    if (simulation === null) return 'deposited'
    const cost = await this.#costOf(quote, payout, simulation)
    return this.#judge(await this.#accept(quote, permit, { call, cost }), permit)
  }

  async #quoteOf(requestId: PermitCall['requestId'], kind: string): Promise<SignedQuote> {
    const { quotes, chains } = this.#deps
    const [terms, quote] = await Promise.all([quotes.findTerms(requestId), quotes.findQuote(requestId)])
    if (terms === null || quote === null) {
      throw new ServiceError('INVALID_REQUEST', 'body.requestId is unknown. Ask for a new quote.')
    }
    const quoted = readQuotedPermit(quote.quoted)
    if (quoted === null || terms.requestId !== requestId) {
      throw new ServiceError(
        'INVALID_REQUEST',
        'body.requestId is of a quote that takes no signature: set usePermit there',
      )
    }
    const { form, charged } = quoted
    if (form.terms.kind !== kind) {
      throw new ServiceError('INVALID_REQUEST', `body.kind must be ${form.terms.kind}, as the step of the quote says`)
    }
    const chain = chains.find(terms.origin.chainId)
    const [permits, sender] = [chain?.adapter.signedDeposits, chain?.config.originSender]
    if (chain === undefined || permits === undefined || sender === undefined) {
      throw new ServiceError('CHAIN_DISABLED', `Chain ${terms.origin.chainId} takes no signatures now`)
    }
    chains.requireServed(chain)
    return { terms, form, chain, permits, sender, charged }
  }

  /** Throws ServiceError UNSUPPORTED_CURRENCY where the configuration has lost it since the quote. */
  #requireCurrency({ config }: Chain, { terms: { money } }: PermitForm): void {
    if (this.#deps.currencies.find(config.id, money.currency) !== undefined) return
    throw new ServiceError('UNSUPPORTED_CURRENCY', 'The currency of this quote is not served any more')
  }

  /** What was taken of a quote before; null: nothing yet. Nothing is simulated then, for what was sent already cannot be sent. */
  async #taken(requestId: PermitCall['requestId']): Promise<TakenPermit | null> {
    const { rows } = await this.#deps.pool.query<TakenPermit>({
      name: 'permit_standing',
      text: `select data::jsonb -> 'origin' -> 'permit' ->> 'signature' as signature, fail_reason, details,
          exists (select from deposits d where d.request_id = p.request_id and d.state = 'included') as deposited
        from payouts p where purpose = 'origin' and cause = $1`,
      values: [`permit:${requestId.slice(2)}`],
    })
    return rows[0] ?? null
  }

  /** Throws ServiceError PERMIT_FAILED for a permit that costs more than its quote pays for. */
  async #costOf(
    { chain, permits, form: { terms }, charged: quoted }: SignedQuote,
    payout: Payout,
    simulation: Extract<Simulation, { ok: true }>,
  ): Promise<PermitCost> {
    const { fees, tolerance } = this.#deps
    const [cost, { network }] = await Promise.all([
      relayFee(this.#deps, { chain, payout, simulation }),
      fees.of(chain.config.id, permits, terms.money.currency, terms.kind),
    ])
    const charged = quoted ?? network.amount
    return { ...cost, gas: simulation.gas, charged, feeLimit: permitFeeLimit(cost, charged, tolerance) }
  }

  async #accept(
    { terms, chain, form, sender }: SignedQuote,
    permit: SignedPermit,
    { call, cost }: { readonly call: PermitCall; readonly cost: PermitCost },
  ): Promise<OriginAnswer> {
    const { pool, clock, caps } = this.#deps
    const { native, price, gas, fee, usd, charged, feeLimit } = cost
    const borne = { by: 'route', charged: charged.toString() } as const
    const accepted: NewOrigin = {
      terms,
      signer: sender,
      recipient: parseDestination(chain.adapter.depository),
      money: form.terms.money,
      origin: { kind: 'permit', permit: storedPermit(permit), borne, from: 'sender' },
      gas,
      feeLimit,
      overAt: form.terms.expiresAt * 1000 + AFTER_EXPIRY_MS,
    }
    const byRoute = usdValue({ currency: native, amount: charged }, price)
    const { requestId } = terms
    const by = relayCaller(call.caller, call.ctx.ip)
    const relayed = { requestId, ...by, owner: form.terms.owner, fee, usd, borne: { byRoute } }
    await failpoint('origin.accept.before')
    const answer = await withTransaction(pool, async (client) => {
      await requireNoOpenPermit(client, chain, form)
      const made = await acceptOrigin(client, accepted, clock.now())
      if (made.kind === 'accepted') await countRelayed(client, relayed, caps, clock.now())
      return made
    })
    await failpoint('origin.accept.after')
    return answer
  }

  #judge(answer: OriginAnswer, { signature }: SignedPermit): PermitOutcome {
    if (answer.kind === 'over' && answer.deposited) return 'deposited'
    if (answer.kind === 'over') {
      throw new ServiceError(
        'INVALID_REQUEST',
        `This request is ${answer.status} already: nothing is to be signed for it any more.`,
      )
    }
    if (answer.kind === 'known' && answer.origin.kind === 'permit' && answer.origin.permit.signature !== signature) {
      throw failed('Another signature of this quote was taken before.')
    }
    return 'taken'
  }
}

const judgeTaken = (
  { signature, fail_reason: reason, details, deposited }: TakenPermit,
  permit: SignedPermit,
): PermitOutcome => {
  if (deposited) return 'deposited'
  if (reason !== null) throw failed(`This request failed: ${details ?? reason}. Ask for a new quote.`)
  if (signature !== permit.signature) throw failed('Another signature of this quote was taken before.')
  return 'taken'
}

const payoutOf = ({ chain, sender }: SignedQuote, permit: SignedPermit): Payout => ({
  purpose: 'origin',
  orderId: permit.terms.orderId,
  from: sender,
  to: parseDestination(chain.adapter.depository),
  money: permit.terms.money,
  calls: [],
  permit,
})

/** The deposit as it would run; null: another transaction made it already. Throws ServiceError where the chain refuses it now. */
const simulate = async ({ adapter }: Chain, payout: Payout): Promise<Extract<Simulation, { ok: true }> | null> => {
  const simulation = await adapter.simulate(payout, 'bound')
  if (simulation.ok) return simulation
  if (simulation.done === true) return null
  if (simulation.kind === 'transient' || simulation.kind === 'insufficient-funds') {
    throw new ServiceError('SERVICE_UNAVAILABLE', 'The deposit cannot be sent now. Post the same signature again.')
  }
  throw failed(simulation.message)
}
