import { useQuery } from '@tanstack/react-query'
import { callApi } from '../../../api/callApi.js'
import { whileShown } from '../../../api/queryClient.js'
import type { AmountObject } from '../requests/requestRecord.js'

export interface OwedAmount extends AmountObject {
  readonly minimumAmount: string
}

/** `GET /dashboard/api/balances`. */
export interface Balances {
  readonly wallet: string
  readonly of: string
  readonly balances: readonly OwedAmount[]
  readonly totalBalanceUsd: number
  readonly outstandingFastFillBalanceUsd: number
  readonly availableBalanceUsd: number
}

/** Whose balance is meant: as every call is asked. */
export type WalletQuery = Readonly<Record<string, string>>

export const BALANCES_PATH = '/dashboard/api/balances'

export const useBalances = (query: WalletQuery) =>
  useQuery({
    queryKey: [BALANCES_PATH, query],
    queryFn: ({ signal }) => callApi<Balances>(BALANCES_PATH, { query, signal }),
    refetchInterval: whileShown(15_000),
  })

/** Money that is named by the number of its chain and its address. */
export interface ListedMoney {
  readonly chainId: number
  readonly currency: string
  readonly symbol: string | null
  readonly decimals: number | null
}

/** A decimal text in smallest units, exactly; null: it is no such number, or has more digits than there are. */
export const smallestUnits = (text: string, decimals: number): string | null => {
  const match = /^(\d+)(?:\.(\d*))?$/.exec(text.trim().replaceAll(',', ''))
  const rest = match?.[2] ?? ''
  if (match === null || rest.length > decimals) return null
  return BigInt(`${match[1]}${rest.padEnd(decimals, '0')}`).toString()
}
