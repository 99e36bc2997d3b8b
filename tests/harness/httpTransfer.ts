import type { QuoteAnswer, TransferRequest } from './transfer.js'
import { until } from './until.js'

/** Asks a running host for a quote, without a key; waits while it cannot quote yet. */
export const quoteOverHttp = (url: string, request: TransferRequest): Promise<QuoteAnswer> =>
  until('a quote', async () => {
    const response = await fetch(`${url}/quote`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        user: request.user.address,
        originChainId: request.from,
        destinationChainId: request.to,
        originCurrency: request.originCurrency,
        destinationCurrency: request.destinationCurrency,
        amount: request.amount.toString(),
        tradeType: request.tradeType ?? 'EXACT_INPUT',
        recipient: request.recipient ?? request.user.address,
        ...request.more,
      }),
    })
    if (response.status === 503) return null
    if (!response.ok) throw new Error(`Quote refused: ${response.status} ${await response.text()}`)
    // CAST: the shape is the quote schema's, checked by the plugin's own tests.
    return (await response.json()) as QuoteAnswer
  })
