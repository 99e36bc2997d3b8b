/** An amount of the API with its currency. */
export interface AmountObject {
  readonly currency: {
    readonly chainId: number
    readonly address: string
    readonly symbol: string
    readonly decimals: number
  }
  readonly amount: string
  readonly amountUsd: string
}

interface Side {
  readonly inputCurrency: AmountObject | null
  readonly outputCurrency: AmountObject | null
}
interface Route {
  readonly origin: Side
  readonly destination?: Side
}

/** What of a record of `GET /dashboard/api/requests` a line shows. */
export interface RequestRecord {
  readonly id: string
  readonly status: string
  readonly user: string
  readonly recipient: string
  readonly requestType: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly data: {
    readonly route: { readonly quoted: Route; readonly actual: Route }
    readonly refundCurrencyData: AmountObject | null
    readonly apiKeyName?: string | null
  }
}

const last = ({ origin, destination }: Route): AmountObject | null => (destination ?? origin).outputCurrency

/** What was given, and what came out or is promised. */
export const endsOf = ({ data, status }: RequestRecord) => {
  const { quoted, actual } = data.route
  const out = data.refundCurrencyData ?? last(actual) ?? last(quoted)
  return {
    given: actual.origin.inputCurrency ?? quoted.origin.inputCurrency,
    received: status === 'failure' ? null : out,
    isPromise: status !== 'success' && status !== 'refund',
  }
}

/** Statuses that nothing follows any more, but for a failure that is paid back later. */
export const isOver = (status: string): boolean => status === 'success' || status === 'refund' || status === 'failure'
