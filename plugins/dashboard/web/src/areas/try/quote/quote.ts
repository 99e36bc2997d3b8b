import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { callApi } from '../../../api/callApi.js'

export interface QuoteAmount {
  readonly currency: {
    readonly chainId: number
    readonly address: string
    readonly symbol: string
    readonly decimals: number
  }
  readonly amount: string
  readonly amountUsd: string
  readonly minimumAmount: string
}

export interface QuoteStep {
  readonly id: string
  readonly kind: string
  readonly items: readonly { readonly data: unknown }[]
}

/** What `POST /quote` answers, as far as this page reads it. */
export interface Quote {
  readonly requestId: string
  readonly steps: readonly QuoteStep[]
  readonly fees: {
    readonly gas: QuoteAmount
    readonly relayerGas: QuoteAmount
    readonly relayerService: QuoteAmount
    readonly app: QuoteAmount
    readonly subsidized: QuoteAmount
  }
  readonly details: {
    readonly sender: string
    readonly recipient: string
    readonly currencyIn: QuoteAmount
    readonly currencyOut: QuoteAmount
    readonly rate: string
    readonly timeEstimate: number
    readonly swapImpact: { readonly usd: string; readonly percent: string }
  }
}

export type QuoteBody = Readonly<Record<string, unknown>>

export const askQuote = (body: QuoteBody, signal?: AbortSignal): Promise<Quote> =>
  callApi<Quote>('/quote', { method: 'POST', body, ...(signal === undefined ? {} : { signal }) })

/** Prices move; a quote is good for longer than this. */
export const REFRESH_MS = 20_000
const WRITING_MS = 350

/** The last of several values, once they have stopped changing. */
const useSettled = <Value>(value: Value, ms: number): Value => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}

/** The price of a route, asked for again before it is old, but not while it is being paid. */
export const useQuote = (body: QuoteBody | null, isPaying: boolean) => {
  const text = body === null ? null : JSON.stringify(body)
  const settled = useSettled(text, WRITING_MS)
  const query = useQuery({
    queryKey: ['try', 'quote', settled],
    // CAST: written from a body just above.
    queryFn: ({ signal }) => askQuote(JSON.parse(settled ?? '{}') as QuoteBody, signal),
    enabled: settled !== null && !isPaying,
    refetchInterval: isPaying ? false : REFRESH_MS,
    refetchOnWindowFocus: false,
    retry: false,
    gcTime: 0,
    placeholderData: keepPreviousData,
  })
  return { ...query, isCurrent: settled === text && !query.isPlaceholderData && query.data !== undefined }
}
