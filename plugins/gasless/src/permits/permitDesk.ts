import { type Clock, type CurrencyRegistry, parseDestination, ServiceError } from '@causeway/core'
import {
  type Payout,
  type PermitForm,
  quorumDemand,
  type SignedDeposits,
  type SignedPermit,
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
  withTransaction,
} from '@causeway/core/plugin'
import { type Drawn, findDrawn, heldBy, lockOwner, mostDrawn, requireRoom } from './ownerFunds.js'
import { readQuotedPermit } from './quotedPermit.js'

export interface PermitDeskDeps {
  readonly pool: DatabasePool
  readonly clock: Clock
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
  readonly quotes: QuoteStore
}

/** `deposited`: the money is in the depository, by whomever it was sent. */
export type PermitOutcome = 'taken' | 'deposited'

/** A quote that its user signs for. */
interface SignedQuote {
  readonly terms: QuoteTerms
  readonly form: PermitForm
  readonly chain: Chain
  readonly permits: SignedDeposits
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
  async execute({ kind, requestId, signature: text }: PermitCall): Promise<PermitOutcome> {
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
    const [gas, drawn] = await Promise.all([
      simulate(chain, payoutOf(chain, permit)),
      findDrawn(this.#deps.pool, chain, form),
    ])
    return gas === null ? 'deposited' : this.#take(quote, permit, { gas, drawn })
  }

  async #quoteOf(requestId: PermitCall['requestId'], kind: string): Promise<SignedQuote> {
    const { quotes, chains } = this.#deps
    const [terms, quote] = await Promise.all([quotes.findTerms(requestId), quotes.findQuote(requestId)])
    if (terms === null || quote === null) {
      throw new ServiceError('INVALID_REQUEST', 'body.requestId is unknown. Ask for a new quote.')
    }
    const form = readQuotedPermit(quote.quoted)
    if (form === null || terms.requestId !== requestId) {
      throw new ServiceError(
        'INVALID_REQUEST',
        'body.requestId is of a quote that takes no signature: set usePermit there',
      )
    }
    if (form.terms.kind !== kind) {
      throw new ServiceError('INVALID_REQUEST', `body.kind must be ${form.terms.kind}, as the step of the quote says`)
    }
    const chain = chains.find(terms.origin.chainId)
    const permits = chain?.adapter.signedDeposits
    if (chain === undefined || permits === undefined) {
      throw new ServiceError('CHAIN_DISABLED', `Chain ${terms.origin.chainId} takes no signatures now`)
    }
    chains.requireServed(chain)
    return { terms, form, chain, permits }
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

  /** What the owner has must cover this one beside those that are on their way: asked for only where there are any. */
  async #take(
    quote: SignedQuote,
    permit: SignedPermit,
    { gas, drawn }: { readonly gas: bigint; readonly drawn: Drawn },
  ): Promise<PermitOutcome> {
    const { chain, form } = quote
    const alone = drawn.count === 0 ? await this.#accept(quote, permit, { gas, drawn }) : null
    if (alone !== null) return this.#judge(alone, permit)
    // First who draws, then what is left: what lands after that is counted though it is spent.
    const seen = drawn.count === 0 ? await findDrawn(this.#deps.pool, chain, form) : drawn
    const answer = await this.#accept(quote, permit, { gas, drawn: seen, held: await heldBy(chain, form) })
    if (answer === null) throw new Error('What its owner holds was asked for.')
    return this.#judge(answer, permit)
  }

  /** Null, and nothing stored, where others are on their way and it is not known what the owner has. */
  async #accept(
    { terms, chain, form }: SignedQuote,
    permit: SignedPermit,
    { gas, drawn: before, held }: { readonly gas: bigint; readonly drawn: Drawn; readonly held?: bigint | null },
  ): Promise<OriginAnswer | null> {
    const { pool, clock } = this.#deps
    const accepted: NewOrigin = {
      terms,
      signer: chain.config.solver,
      recipient: parseDestination(chain.adapter.depository),
      money: form.terms.money,
      origin: { kind: 'permit', permit: storedPermit(permit), borne: { by: 'route' } },
      gas,
      overAt: form.terms.expiresAt * 1000 + AFTER_EXPIRY_MS,
    }
    await failpoint('origin.accept.before')
    const answer = await withTransaction(pool, async (client) => {
      const [, now] = await Promise.all([lockOwner(client, chain, form), findDrawn(client, chain, form)])
      const drawn = mostDrawn(before, now)
      if (held === undefined && drawn.count > 0) return null
      requireRoom(form, drawn, held ?? null)
      return acceptOrigin(client, accepted, clock.now())
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

const payoutOf = ({ config, adapter }: Chain, permit: SignedPermit): Payout => ({
  purpose: 'origin',
  orderId: permit.terms.orderId,
  from: config.solver,
  to: parseDestination(adapter.depository),
  money: permit.terms.money,
  calls: [],
  permit,
})

/** Gas that bringing it in takes; null: it is in already, by somebody else's transaction. Throws ServiceError where the chain refuses it now. */
const simulate = async ({ adapter }: Chain, payout: Payout): Promise<bigint | null> => {
  const simulation = await adapter.simulate(payout, 'bound')
  if (simulation.ok) return simulation.gas
  if (simulation.done === true) return null
  if (simulation.kind === 'transient' || simulation.kind === 'insufficient-funds') {
    throw new ServiceError('SERVICE_UNAVAILABLE', 'The deposit cannot be sent now. Post the same signature again.')
  }
  throw failed(simulation.message)
}
