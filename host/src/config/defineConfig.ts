import type { Role } from '@causeway/core/plugin'
import type { KeyReference } from './schema/schema.js'

/** One chain as it is written in a configuration; see the table in README.md for each field. */
export interface ChainInput {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly package: string
  readonly rpc: readonly (string | { readonly http: string; readonly ws?: string; readonly provider?: string })[]
  readonly currencies?: readonly {
    readonly address: string
    readonly symbol: string
    readonly name: string
    readonly decimals: number
    readonly groupId: string
    readonly logoURI?: string
    readonly verified?: boolean
    readonly supportsPermit?: boolean
  }[]
  readonly confirmations?: {
    readonly fill?: number
    readonly success?: number
    readonly settle?: number
    readonly settleSeconds?: number
  }
  readonly limits?: {
    readonly perHour?: readonly { readonly currency: string; readonly amount: string }[]
    readonly unsettledUsd?: string
  }
  readonly quorum?: readonly { readonly aboveUsd: string; readonly agreeing: number; readonly confirmations?: number }[]
  readonly solver?: string
  readonly originSender?: string
  readonly enabled?: boolean
  readonly privateId?: string
  readonly explorerUrl?: string
  readonly iconUrl?: string
  readonly options?: Readonly<Record<string, unknown>>
}

interface PriceServerInput {
  readonly name?: string
  readonly url?: string
  readonly apiKey?: { readonly env: string; readonly header?: string }
  readonly keepSeconds?: number
  readonly timeoutMs?: number
}

/** Where prices come from, as it is written. */
export interface PricesInput {
  readonly file?: string
  readonly coingecko?: readonly (PriceServerInput & {
    readonly ids?: Readonly<Record<string, string>>
    readonly platforms?: Readonly<Record<string, string>>
    readonly contractsPerRequest?: number
  })[]
  readonly pyth?: readonly (PriceServerInput & {
    readonly feeds?: Readonly<Record<string, string>>
    readonly maxConfidenceBps?: number
  })[]
  readonly dex?: { readonly references: readonly string[]; readonly keepSeconds?: number; readonly timeoutMs?: number }
  readonly minimumSources?: number
  readonly maxAgeSeconds?: number
  readonly maxDeviationBps?: number
}

/** A configuration as it is written; everything optional has a default. */
export interface CausewayConfig {
  readonly network: 'mainnet' | 'testnet'
  readonly serviceName?: string
  readonly nonceMappingDomain?: string
  readonly database?: {
    readonly url?: string
    readonly poolSize?: number
    readonly searchPoolSize?: number
    readonly leaseSeconds?: number
    readonly answerSeconds?: number
    readonly allowUnconfigured?: boolean
  }
  readonly http?: {
    readonly host?: string
    readonly port?: number
    readonly tls?: { readonly certFile: string; readonly keyFile: string }
    readonly console?: {
      readonly host?: string
      readonly port?: number
      readonly publicUrl?: string
      readonly shared?: boolean
    }
    readonly trustedProxies?: readonly string[]
    readonly maxConnections?: number
    readonly connectionsPerAddress?: number
    readonly bodyLimitKiB?: number
    readonly timeLimitSeconds?: number
    readonly drainSeconds?: number
  }
  readonly roles?: readonly (Role | 'all')[]
  readonly chains?: readonly ChainInput[]
  readonly plugins?: readonly (
    | string
    | { readonly package: string; readonly options?: Readonly<Record<string, unknown>>; readonly enabled?: boolean }
  )[]
  readonly defaultPlugins?: boolean
  readonly keys?: {
    readonly keystore?: {
      readonly file: string
      readonly passphrase: { readonly env?: string; readonly file?: string }
    }
    readonly order?: KeyReference
    readonly allocator?: KeyReference
    readonly master?: KeyReference
    readonly previousMaster?: KeyReference
    readonly hd?: KeyReference
    readonly operator?: KeyReference
    readonly deployer?: KeyReference & { readonly keystoreFile?: string }
    readonly payout?: Readonly<Record<string, KeyReference>>
    readonly allocators?: Readonly<Record<string, KeyReference>>
    readonly origin?: Readonly<Record<string, KeyReference>>
  }
  readonly wallet?: {
    readonly operators?: readonly string[]
    readonly allowed?: readonly {
      readonly chainId: number
      readonly address: string
      readonly currencies?: readonly string[]
      readonly perDay?: readonly { readonly currency: string; readonly amount: string }[]
    }[]
  }
  readonly prices?: PricesInput
  readonly quotes?: {
    readonly anonymousHoldBps?: number
    readonly callerHoldBps?: number
    readonly anonymousMiBPerDay?: number
  }
  readonly balances?: { readonly chainId: number; readonly currency: string; readonly conversionBps?: number }
  readonly retention?: {
    readonly unpaidQuotesDays?: number
    readonly eventsDays?: number
    readonly auditDays?: number
  }
  readonly tracing?: {
    readonly endpoint: string
    readonly sampleRatio?: number
    readonly headers?: Readonly<Record<string, string>>
  }
  readonly logging?: {
    readonly level?: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'
    readonly pretty?: boolean
  }
  readonly dataDir?: string
}

/** Checks the shape of a configuration where it is written: `export default defineConfig({ ... })`. */
export const defineConfig = (config: CausewayConfig): CausewayConfig => config
