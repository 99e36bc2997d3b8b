import type { Hex } from '@causeway/core'
import type { Caller, QuoteStore, QuoteTerms, TermsCalls, WalletSignatures } from '@causeway/core/plugin'
import { type DestinationExecution, type ExecuteInput, refuse } from './executeInput.js'
import { requireOwner } from './quoteOwner.js'

export interface QuotedExecutionDeps {
  readonly quotes: Pick<QuoteStore, 'findQuote' | 'findTerms'>
  readonly signatures: WalletSignatures
}

/** The quote that a call is for. */
export interface QuotedExecution {
  readonly terms: QuoteTerms
  /** Gas that the quote has charged its route for (wire.md 1.2 originGasOverhead), native smallest unit; null: it was not asked to. */
  readonly charged: bigint | null
}

/** Finds the quote of a call; whose it is, and whether the call can be for it, is checked. Throws HttpError. */
export const findQuoted = async (
  { quotes, signatures }: QuotedExecutionDeps,
  { requestId, input, caller }: { readonly requestId: Hex; readonly input: ExecuteInput; readonly caller: Caller },
): Promise<QuotedExecution> => {
  const [quote, terms] = await Promise.all([quotes.findQuote(requestId), quotes.findTerms(requestId)])
  if (quote === null || terms === null || quote.requestId !== requestId) throw refuse('No quote has this requestId')
  requireFit(terms, input)
  await requireOwner(signatures, quote, { terms, input, caller })
  return { terms, charged: chargedBy(quote.quoted) }
}

/** What of a quote says that no call can be for it. */
const misfit = ({ origin, direct, address }: QuoteTerms, chainId: number): string | null => {
  if (origin.chainId !== chainId)
    return `The quote of this requestId begins on chain ${origin.chainId}, not on chain ${chainId}`
  if (direct?.kind === 'call') return 'This requestId is that of a call that was sent before: leave it out'
  if (direct !== undefined && direct.kind !== 'swap')
    return 'Sends, wraps and unwraps are not recognised within a call: send it without requestId'
  return address === undefined ? null : 'The quote of this requestId is paid by a plain transfer to its deposit address'
}

const requireFit = (terms: QuoteTerms, { chainId, destination }: ExecuteInput): void => {
  const why = misfit(terms, chainId)
  if (why !== null) throw refuse(why)
  if (destination !== null && !isSame(destination, terms.calls))
    throw refuse(
      'destinationChainExecutionData differs from the calls of the quote: quote with these as txs and authorizationList',
    )
}

/** Throws HttpError where the quote's time is over. */
export const requireCurrent = ({ orderDeadline }: QuoteTerms, now: number): void => {
  if (orderDeadline * 1000 <= now) throw refuse('The quote of this requestId has expired: ask for a new one')
}

const textOf = ({ calls, delegations }: DestinationExecution): string =>
  JSON.stringify([
    calls.map(({ to, data, value }) => [to.toLowerCase(), data.toLowerCase(), value.toString()]),
    delegations.map(({ chainId, address, nonce, yParity, r, s }) => [
      chainId,
      address.toLowerCase(),
      nonce,
      yParity,
      BigInt(r).toString(),
      BigInt(s).toString(),
    ]),
  ])

const isSame = (asked: DestinationExecution, quoted: TermsCalls | undefined): boolean =>
  textOf(asked) === textOf({ calls: quoted?.calls ?? [], delegations: quoted?.delegations ?? [] })

/** Field of what is stored as quoted, where a quote has charged for the gas of a call. */
export const ORIGIN_GAS_FIELD = 'originGas'

const chargedBy = (quoted: string): bigint | null => {
  // CAST: the text that this service stored with the quote.
  const { [ORIGIN_GAS_FIELD]: gas } = JSON.parse(quoted) as { [ORIGIN_GAS_FIELD]?: { readonly amount: string } }
  return gas === undefined ? null : BigInt(gas.amount)
}
