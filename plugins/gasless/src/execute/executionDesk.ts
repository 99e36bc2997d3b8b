import { randomBytes } from 'node:crypto'
import type { Clock, Hex } from '@causeway/core'
import {
  acceptOrigin,
  type Caller,
  type Chain,
  type ChainRegistry,
  failpoint,
  findOrigin,
  isBalanceTooLow,
  type NewOrigin,
  type OriginAnswer,
  type OriginBearer,
  type PayoutOrigin,
  type QuoteStore,
  type QuoteTerms,
  type Usd,
  usdValue,
  type WalletSignatures,
  withTransaction,
} from '@causeway/core/plugin'
import { type LossCaps, type Relayed, relayCaller } from '../losses/lossCaps.js'
import { countRelayed } from '../losses/relayLosses.js'
import { callQuote } from './callQuote.js'
import { CallStore, callHash, isTaken } from './callStore.js'
import { type BearerDeps, bearersOf } from './costBearers.js'
import { callText, type ExecuteInput, refuse } from './executeInput.js'
import { costOf, type ExecutionCost, type ExecutionCostDeps } from './executionCost.js'
import { findQuoted, type QuotedExecution, requireCurrent } from './quotedExecution.js'
import { type Passed, payoutOf, tryOut } from './trial.js'

export interface ExecutionDeskDeps extends BearerDeps, ExecutionCostDeps {
  readonly clock: Clock
  readonly chains: ChainRegistry
  readonly quotes: QuoteStore
  readonly signatures: WalletSignatures
  readonly maxGas: bigint
  readonly caps: LossCaps
}

/** Who asks, and what was sent word for word. */
export interface ExecutionCall {
  readonly input: ExecuteInput
  readonly caller: Extract<Caller, { kind: 'integrator' }>
  readonly ip: string
  /** JSON text of the body. */
  readonly body: string
}

/** A chain that sends calls, and the account that does. */
interface Sending {
  readonly chain: Chain
  readonly sender: string
}

/** A call that would pass, and what it costs. */
interface Tried {
  readonly simulation: Passed
  readonly cost: ExecutionCost
}

/** A call that is not included by then is looked at by whoever watches over requests. */
const OVER_AFTER_MS = 3_600_000

/** Sends calls for users without gas (wire.md 2.6). */
export class ExecutionDesk {
  readonly #deps: ExecutionDeskDeps
  readonly #calls: CallStore

  constructor(deps: ExecutionDeskDeps) {
    this.#deps = deps
    this.#calls = new CallStore(deps.pool)
  }

  /** Stores the call to be sent; the request that tells what becomes of it. Asked again it answers the same and sends nothing more. */
  async execute(call: ExecutionCall): Promise<Hex> {
    const sending = this.#sendingOf(call.input.chainId)
    const { requestId } = call.input
    return requestId === null ? this.#alone(call, sending) : this.#forQuote(call, sending, requestId)
  }

  /** Throws HttpError and ServiceError for a chain on which none are sent. */
  #sendingOf(chainId: number): Sending {
    const chain = this.#deps.chains.find(chainId)
    if (chain === undefined) throw refuse(`chainId ${chainId} is not a chain here`)
    this.#deps.chains.requireServed(chain)
    const { originSender } = chain.config
    if (originSender === undefined) throw refuse(`No calls are sent for users on chain ${chainId}`)
    return { chain, sender: originSender }
  }

  async #forQuote(call: ExecutionCall, sending: Sending, requestId: Hex): Promise<Hex> {
    const { quotes, signatures, pool, clock } = this.#deps
    const [quoted, known] = await Promise.all([
      findQuoted({ quotes, signatures }, { requestId, input: call.input, caller: call.caller }),
      findOrigin(pool, requestId),
    ])
    if (known !== null) return sameAs(known.origin, call.input, requestId)
    requireCurrent(quoted.terms, clock.now())
    const tried = await this.#try(call, sending, quoted.terms)
    return this.#accept(call, sending, quoted, tried)
  }

  async #alone(call: ExecutionCall, sending: Sending): Promise<Hex> {
    const hash = callHash(call.caller.integratorId, call.input)
    const running = await this.#running(hash)
    if (running?.isSent === true) return running.terms.requestId
    const requestId: Hex = running?.terms.requestId ?? `0x${randomBytes(32).toString('hex')}`
    const tried = await this.#try(call, sending, { requestId, orderId: requestId })
    const terms = running?.terms ?? (await this.#store(call, sending, { hash, requestId, cost: tried.cost }))
    return this.#accept(call, sending, { terms, charged: null }, tried)
  }

  /** The same call of the same integrator, under way or about to be. */
  async #running(hash: Buffer): Promise<{ readonly terms: QuoteTerms; readonly isSent: boolean } | null> {
    const { pool, quotes } = this.#deps
    const requestId = await this.#calls.findRunning(hash)
    if (requestId === null) return null
    const [terms, known] = await Promise.all([quotes.findTerms(requestId), findOrigin(pool, requestId)])
    if (terms !== null) return { terms, isSent: known !== null }
    await this.#calls.forget(hash, requestId)
    return null
  }

  /** Stores the quote of a call; the terms of another one where the same call was stored meanwhile. */
  async #store(
    { input, caller, ip, body }: ExecutionCall,
    { chain }: Sending,
    { hash, requestId, cost }: { readonly hash: Buffer; readonly requestId: Hex; readonly cost: ExecutionCost },
  ): Promise<QuoteTerms> {
    const { quotes, clock } = this.#deps
    const now = clock.now()
    const { native, price, fee } = cost
    const facts = { requestId, input, chain, native, price, fee, caller, ip, body, now }
    const quote = callQuote(facts, this.#calls.entry(hash, requestId, now))
    try {
      await quotes.insert(quote)
      return quote.terms
    } catch (error) {
      const other = isTaken(error) ? await this.#running(hash) : null
      if (other === null) throw error
      return other.terms
    }
  }

  /** Nothing is stored for a call that would fail. */
  async #try(
    { input }: ExecutionCall,
    { chain, sender }: Sending,
    { requestId, orderId }: Pick<QuoteTerms, 'requestId' | 'orderId'>,
  ): Promise<Tried> {
    const payout = payoutOf(chain, { sender, orderId, input })
    const simulation = await tryOut(chain, { payout, requestId, maxGas: this.#deps.maxGas })
    return { simulation, cost: await costOf(this.#deps, { chain, payout, simulation }) }
  }

  async #accept(
    { input, caller, ip }: ExecutionCall,
    { chain, sender }: Sending,
    { terms, charged }: QuotedExecution,
    { simulation, cost }: Tried,
  ): Promise<Hex> {
    const now = this.#deps.clock.now()
    const { subsidizeFees, call } = input
    const bearers = await bearersOf(this.#deps, { caller, cost, subsidizeFees, charged, now })
    const accepted = (borne: OriginBearer): NewOrigin => ({
      terms,
      signer: sender,
      recipient: { address: call.to },
      money: { currency: chain.adapter.native.address, amount: 0n },
      origin: originOf(input, terms, borne),
      gas: simulation.gas,
      feeLimit: cost.feeLimit,
      overAt: isAlone(terms) ? now + OVER_AFTER_MS : terms.orderDeadline * 1000,
      integratorId: caller.integratorId,
    })
    const { requestId } = terms
    const relayed = (borne: OriginBearer): Relayed => ({
      requestId,
      ...relayCaller(caller, ip),
      owner: null,
      fee: cost.fee,
      usd: cost.usd,
      borne: shareOf(borne, cost),
    })
    const answer = await this.#acceptBy(
      bearers.map((borne) => ({ accepted: accepted(borne), relayed: relayed(borne) })),
    )
    if (answer.kind === 'known') return sameAs(answer.origin, input, requestId)
    if (answer.kind === 'over') throw refuse(`This requestId was used already: it is ${answer.status}`)
    return requestId
  }

  /** By the first bearer that can. */
  async #acceptBy([first, ...others]: readonly Borne[]): Promise<OriginAnswer> {
    if (first === undefined) throw new Error('Somebody always bears the cost of a call.')
    const { pool, clock, caps } = this.#deps
    await failpoint('origin.accept.before')
    try {
      const answer = await withTransaction(pool, async (client) => {
        const made = await acceptOrigin(client, first.accepted, clock.now())
        if (made.kind === 'accepted') await countRelayed(client, first.relayed, caps, clock.now())
        return made
      })
      await failpoint('origin.accept.after')
      return answer
    } catch (error) {
      if (!isBalanceTooLow(error) || others.length === 0) throw error
      return this.#acceptBy(others)
    }
  }
}

/** A call by who bears its cost. */
interface Borne {
  readonly accepted: NewOrigin
  readonly relayed: Relayed
}

/** Part of the cost that is borne by another one than the operator. */
const shareOf = (borne: OriginBearer, { usd, native, price }: ExecutionCost): Relayed['borne'] => {
  if (borne.by === 'loss') return null
  if (borne.by === 'sponsor') return { bySponsor: usd }
  const byRoute: Usd = usdValue({ currency: native, amount: BigInt(borne.charged ?? '0') }, price)
  return { byRoute }
}

const isAlone = ({ direct }: QuoteTerms): boolean => direct?.kind === 'call'

const originOf = ({ call, delegations }: ExecuteInput, terms: QuoteTerms, borne: OriginBearer): PayoutOrigin => ({
  kind: 'call',
  borne,
  call: { ...call, value: call.value.toString() },
  ...(delegations.length === 0 ? {} : { delegations }),
  ...(isAlone(terms) ? { alone: true as const } : {}),
})

/** The request where it sends just this. Throws HttpError for another call. */
const sameAs = (origin: PayoutOrigin, input: ExecuteInput, requestId: Hex): Hex => {
  if (origin.kind !== 'call') throw refuse('The deposit of this requestId was signed for already')
  const { call, delegations = [] } = origin
  const sent = callText({ chainId: input.chainId, call: { ...call, value: BigInt(call.value) }, delegations })
  if (sent !== callText(input)) throw refuse('Another call was sent for this requestId')
  return requestId
}
