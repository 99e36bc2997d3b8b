import { type Clock, type Hex, ServiceError } from '@causeway/core'
import {
  acceptFastFill,
  type BalanceCurrency,
  type balanceRefusals,
  type Caller,
  type DatabasePool,
  defineRoute,
  type FastFillAnswer,
  type FastFillState,
  failpoint,
  findFastFillOrder,
  findFastFillState,
  findFundingWallet,
  formatUsd,
  HttpError,
  isBalanceTooLow,
  MessageSchema,
  ownsAs,
  parseUsd,
  type QuoteTerms,
  type Route,
  readAppBalances,
  usdValue,
  withTransaction,
} from '@causeway/core/plugin'
import { type Static, Type } from '@sinclair/typebox'
import { type FastFillCoverDeps, type FastFillWorth, fastFillWorth } from './fastFillCover.js'

const FastFillBody = Type.Object({
  requestId: Type.String({ pattern: '^0x[0-9a-fA-F]{64}$', description: 'Id of the quote, as its answer has it.' }),
  solverInputCurrencyAmount: Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,77}$',
      description: 'What the deposit will bring, smallest unit of its currency. Default: what the quote asks for.',
    }),
  ),
  maxFillAmountUsd: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 1e12,
      description: 'Refused where the fill is worth more, US dollars; not above the free balance.',
    }),
  ),
})

type Body = Static<typeof FastFillBody>

export interface FastFillRouteDeps extends Omit<FastFillCoverDeps, 'balanceCurrency'> {
  readonly pool: DatabasePool
  readonly clock: Clock
  /** Null: this deployment keeps no balances. */
  readonly balanceCurrency: BalanceCurrency | null
  readonly refusals: ReturnType<typeof balanceRefusals>
}

const refuse = (message: string): ServiceError => new ServiceError('INVALID_REQUEST', message)
const forbid = (message: string): ServiceError => new ServiceError('FORBIDDEN', message)

/** Counted: the operator sees who has too little. */
const overLimit = ({ refusals }: Pick<FastFillRouteDeps, 'refusals'>): ServiceError => {
  refusals.add({ of: 'fast-fill' })
  return refuse('The balance of the funding wallet does not cover this fill beside what is set aside already')
}

/** The most that one word of the database and of chains holds. */
const LARGEST = 2n ** 255n

/** What of the quote bars a fast fill, whatever its deposit does. */
const barOf = ({ direct, address, orderDeadline, fillBy, forceRefund }: QuoteTerms, now: number): string | null => {
  if (direct !== undefined) return 'The user carries this request out alone: there is nothing to fill'
  if (address !== undefined) return 'An address is paid to at any time: its quote cannot be filled ahead'
  if (forceRefund) return 'The deposit of this request is to be refunded'
  const end = fillBy === null ? orderDeadline : Math.min(fillBy, orderDeadline)
  return end * 1000 <= now ? 'The order of this request has expired' : null
}

const amountOf = (body: Body, { depositAmount, minimumDeposit }: QuoteTerms): bigint => {
  const amount = body.solverInputCurrencyAmount === undefined ? depositAmount : BigInt(body.solverInputCurrencyAmount)
  if (amount < minimumDeposit)
    throw refuse(`body.solverInputCurrencyAmount: a deposit of less than ${minimumDeposit} is not filled`)
  if (amount > LARGEST) throw refuse('body.solverInputCurrencyAmount is more than there can be')
  return amount
}

/** Throws ServiceError where the caller's own bound, or the free balance, is passed. */
const checkLimits = (
  deps: FastFillRouteDeps,
  body: Body,
  { fillUsd, balance, cover }: FastFillWorth,
  free: bigint,
): void => {
  const most = body.maxFillAmountUsd === undefined ? null : parseUsd(body.maxFillAmountUsd.toFixed(6))
  const freeUsd = usdValue({ currency: balance.currency, amount: free }, balance.price)
  if (most !== null && most > freeUsd)
    throw refuse(`body.maxFillAmountUsd is more than the free balance, ${formatUsd(freeUsd)}`)
  if (most !== null && fillUsd > most)
    throw refuse(`The fill is worth ${formatUsd(fillUsd)}, more than body.maxFillAmountUsd`)
  if (cover.collateral > free) throw overLimit(deps)
}

const QUEUED = 'The fill is queued'
const DONE = 'The request was filled already'

const messageOf = (state: FastFillState): string => (state === 'queued' || state === 'filling' ? QUEUED : DONE)

const answerOf = (answer: FastFillAnswer): string => {
  if (answer.kind === 'accepted') return QUEUED
  if (answer.kind === 'filled') return DONE
  if (answer.kind === 'busy')
    throw new HttpError(
      409,
      'This request is being processed: something is done about its deposit just now. Try again.',
    )
  if (answer.kind === 'over') throw refuse(`The request is over: ${answer.status}`)
  if (answer.state === 'ended') throw refuse(`The request could not be filled ahead of its deposit: ${answer.reason}`)
  return messageOf(answer.state)
}

/** Rolls back what an answer that accepts nothing has touched. */
class NothingAccepted extends Error {
  constructor(readonly answer: FastFillAnswer) {
    super('Nothing is accepted')
  }
}

const accept = async (deps: FastFillRouteDeps, fill: Parameters<typeof acceptFastFill>[1]): Promise<FastFillAnswer> => {
  await failpoint('fast-fill.accept.before')
  try {
    const answer = await withTransaction(deps.pool, async (client) => {
      const made = await acceptFastFill(client, fill, deps.clock.now())
      if (made.kind !== 'accepted') throw new NothingAccepted(made)
      return made
    })
    await failpoint('fast-fill.accept.after')
    return answer
  } catch (error) {
    if (error instanceof NothingAccepted) return error.answer
    if (isBalanceTooLow(error)) throw overLimit(deps)
    throw error
  }
}

/** The wallet that pays for an integrator, and what of its balance is free. Throws ServiceError FORBIDDEN without one. */
const fundingOf = async ({ pool, balanceCurrency }: FastFillRouteDeps, integratorId: string) => {
  if (balanceCurrency === null) throw forbid('This deployment keeps no balances: nothing can cover a fill')
  const wallet = await findFundingWallet(pool, integratorId)
  if (wallet === null) throw forbid('No funding wallet is linked to this key')
  const balances = await readAppBalances(pool, wallet)
  const { chainId, address } = balanceCurrency
  const free = balances.find((balance) => balance.chainId === chainId && balance.currency === address)?.app ?? 0n
  if (free === 0n) throw forbid('The funding wallet of this key has no free balance')
  return { wallet, free, balanceCurrency }
}

const handle = async (deps: FastFillRouteDeps, body: Body, caller: Caller): Promise<string> => {
  // CAST: its schema has checked the form.
  const order = await findFastFillOrder(deps.pool, body.requestId.toLowerCase() as Hex)
  if (order === null) throw new HttpError(404, 'No quote has this id')
  const { terms, integratorId } = order
  if (integratorId === null || !ownsAs(caller, integratorId))
    throw forbid('This request was quoted for another API key')
  const bar = barOf(terms, deps.clock.now())
  const known = await findFastFillState(deps.pool, terms.requestId)
  if (known !== null) return answerOf({ kind: 'known', ...known })
  if (bar !== null) throw refuse(bar)
  const { wallet, free, balanceCurrency } = await fundingOf(deps, integratorId)
  const amount = amountOf(body, terms)
  const worth = await fastFillWorth({ ...deps, balanceCurrency }, terms, amount)
  checkLimits(deps, body, worth, free)
  const deadline = deps.clock.now() + deps.deadlineMinutes * 60_000
  return answerOf(await accept(deps, { terms, integratorId, wallet, amount, cover: worth.cover, deadline }))
}

/** `POST /fast-fill` (wire.md 2.9, G.3): fills a request before its deposit is in, on the balance of its integrator. */
export const fastFillRoute = (deps: FastFillRouteDeps): Route =>
  defineRoute({
    method: 'POST',
    path: '/fast-fill',
    summary: 'Fill a request ahead of its deposit',
    description:
      'For the integrator of the quote, once the user has sent the deposit: what it is worth is set aside of the balance of the funding wallet and the solver pays at once. The deposit sets it free again, less what it is worth too little then; where none comes within the minutes that the operator allows all of it is taken.',
    tags: ['fast fill'],
    bucket: 'other',
    auth: 'required',
    changes: true,
    body: FastFillBody,
    responses: {
      200: MessageSchema,
      400: MessageSchema,
      401: MessageSchema,
      403: MessageSchema,
      404: MessageSchema,
      409: MessageSchema,
    },
    handler: async ({ body, caller }) => ({ message: await handle(deps, body, caller) }),
  })
