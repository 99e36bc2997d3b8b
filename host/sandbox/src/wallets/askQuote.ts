import { HttpError } from '@causeway/core/plugin'
import { parseUnits } from 'viem'
import { SANDBOX_PRICES } from '../chainPlans.js'
import { baseUrlOf, type RecordedChain, type SandboxAccount, type SandboxState } from '../state/sandboxState.js'
import type { QuoteAnswer, QuoteStep } from './payQuote.js'

const WORTH_USD = 100n
const PRICE_DECIMALS = 6
const PATIENCE_MS = 15_000

/** Native currency worth some dollars, in the smallest unit, by the prices of the sandbox. */
const worthOf = ({ currencies: [native] }: RecordedChain): bigint => {
  const price = parseUnits(SANDBOX_PRICES[native?.groupId ?? ''] ?? '1', PRICE_DECIMALS)
  return (WORTH_USD * 10n ** BigInt(PRICE_DECIMALS + (native?.decimals ?? 0))) / price
}

export interface Asked {
  readonly origin: RecordedChain
  readonly payer: SandboxAccount
  readonly destination: RecordedChain
  readonly recipient: string
  /** Further fields of the body of `POST /quote`. */
  readonly more?: Readonly<Record<string, unknown>>
}

/** The answer of `POST /quote`, as far as the sandbox reads it. */
export interface SandboxQuote extends QuoteAnswer {
  readonly requestId: string
  readonly orderId: string
  readonly steps: readonly QuoteStep[]
}

/** Asks this service for a quote as the demo key's integrator does: native currency for native currency. @throws HttpError 409 where it gives none */
export const askQuote = async (
  { port, apiKey }: SandboxState,
  { origin, payer, destination, recipient, more = {} }: Asked,
): Promise<SandboxQuote> => {
  const response = await fetch(`${baseUrlOf(port)}/quote`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    signal: AbortSignal.timeout(PATIENCE_MS),
    body: JSON.stringify({
      user: payer.address,
      recipient,
      originChainId: origin.id,
      destinationChainId: destination.id,
      originCurrency: origin.currencies[0]?.address,
      destinationCurrency: destination.currencies[0]?.address,
      amount: worthOf(origin).toString(),
      tradeType: 'EXACT_INPUT',
      ...more,
    }),
  })
  // CAST: the shape is the route's own.
  const answer = (await response.json()) as SandboxQuote & {
    readonly message?: string
    readonly protocol?: { readonly v2?: { readonly orderId?: string } }
  }
  if (!response.ok) {
    const { status } = response
    throw new HttpError(409, `There is no quote for it now. POST /quote answered ${status}: ${answer.message ?? ''}`)
  }
  return { ...answer, orderId: answer.protocol?.v2?.orderId ?? '' }
}
