import { useQuery } from '@tanstack/react-query'
import { callApi } from '../../../api/callApi.js'

export interface SandboxCurrency {
  readonly address: string
  readonly symbol: string
  readonly name: string
  readonly decimals: number
}

export interface SandboxChain {
  readonly id: number
  readonly name: string
  readonly displayName: string
  readonly vmType: string
  readonly currencies: readonly SandboxCurrency[]
  readonly unlisted: readonly SandboxCurrency[]
  readonly features: {
    readonly depositAddresses: boolean
    /** Currencies that a signature alone deposits. */
    readonly permits: readonly string[]
    readonly gasless: boolean
  }
}

export interface SandboxHost {
  readonly pid: number
  readonly startedAt: string | null
  readonly restarts: number
  readonly restartedAt: string | null
}

/** What `GET /try/api/sandbox` answers. */
export interface Sandbox {
  readonly chains: readonly SandboxChain[]
  readonly accounts: readonly {
    readonly chainId: number
    readonly address: string
    readonly label: string
    readonly sponsor: boolean
  }[]
  readonly mainnetIds: boolean
  readonly host: SandboxHost
}

/** Often enough to see a process go and another one come. */
const POLL_MS = 1_000

/** The sandbox. While its host is away, what was known of it stays, with the error beside it. */
export const useSandbox = () =>
  useQuery({
    queryKey: ['try', 'sandbox'],
    queryFn: ({ signal }) => callApi<Sandbox>('/try/api/sandbox', { signal }),
    refetchInterval: POLL_MS,
    retry: false,
  })

interface Balances {
  readonly currencies: readonly (SandboxCurrency & { readonly amount: string | null })[]
}

/** What an account of the sandbox holds of a currency, in smallest units; null where that is not known. */
export const useBalance = (chainId: number, address: string, currency: string, isOwn: boolean): string | null => {
  const { data } = useQuery({
    queryKey: ['try', 'balances', chainId, address],
    queryFn: ({ signal }) =>
      callApi<Balances>(`/try/api/accounts/${chainId}/${encodeURIComponent(address)}/balances`, { signal }),
    refetchInterval: 3_000,
    retry: false,
    enabled: isOwn && address !== '',
  })
  return data?.currencies.find((each) => each.address === currency)?.amount ?? null
}
