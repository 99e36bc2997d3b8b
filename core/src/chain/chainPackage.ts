import type { Static, TSchema } from '@sinclair/typebox'
import type { Logger } from 'pino'
import type { Clock } from '../clock/clock.js'
import type { Environment } from '../container/environment.js'
import type { ChainAdapter } from './chainAdapter.js'
import type { ChainSetup } from './chainSetup.js'
import type { RpcEndpoint } from './endpoint/rpcEndpoint.js'
import type { Signer } from './signer.js'

/** A currency the operator's solver holds on a chain, as the configuration lists it. */
export interface CurrencyConfig {
  readonly address: string
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  /** The same asset on several chains shares it (wire.md 0.2 groupID). */
  readonly groupId: string
  readonly logoURI?: string
  readonly verified?: boolean
  readonly supportsPermit?: boolean
}

/** One entry of `chains` in the configuration, checked, `options` still the package's own. */
export interface ChainConfig {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly package: string
  readonly rpc: readonly RpcEndpoint[]
  readonly currencies: readonly CurrencyConfig[]
  /** Blocks on the fill before `success` (1), before money is called final (settle), before a deposit may be filled. */
  readonly confirmations: {
    readonly fill: number
    readonly success: number
    readonly settle: number
    readonly settleSeconds: number
  }
  /**
   * From which worth on how many providers must show a deposit, and how deep, before money moves because of it (invariant
   * 3). Absent: two above a default amount where there are two; an empty list: never. Read it through `quorumDemand`.
   */
  readonly quorum?: readonly QuorumTier[]
  /** Address the solver pays from; known to every role, its key only to the solver's. */
  readonly solver: string
  readonly enabled: boolean
  readonly limits?: {
    /** Most that the payout key may sign away in an hour, by currency; amounts in whole units as decimal text. */
    readonly perHour: readonly { readonly currency: string; readonly amount: string }[]
    /** Most worth of deposits here that may be paid for before they are settled, dollars as text; absent or `none`: no limit. */
    readonly unsettledUsd?: string
  }
  /** A private chain's UUID (wire.md K.3 8). */
  readonly privateId?: string
  readonly explorerUrl?: string
  readonly iconUrl?: string
  readonly options: Readonly<Record<string, unknown>>
}

/** One tier of `quorum`. */
export interface QuorumTier {
  /** Dollars as decimal text; the tier holds for amounts worth more. */
  readonly aboveUsd: string
  /** Distinct providers that must show the same deposit. */
  readonly agreeing: number
  /** Blocks on the deposit, its own counted; absent: those of `confirmations.fill`. */
  readonly confirmations?: number
}

/** What a chain package is given besides its options. */
export interface ChainDeps {
  readonly config: ChainConfig
  readonly clock: Clock
  readonly logger: Logger
  /** Variables of the process that the options name, such as the API key of an aggregator. */
  readonly environment: Environment
}

/** The default export of a chain package. */
export interface ChainPackage<Schema extends TSchema = TSchema> {
  readonly name: string
  readonly version: string
  readonly vmType: string
  /** Range of core it was written for; checked before `create` runs. */
  readonly coreRange: string
  /** Kind of key that its solver and its depository sign with; absent: secp256k1. */
  readonly keyScheme?: Signer['scheme']
  /** Schema of `options`. */
  readonly options: Schema
  create(options: Static<Schema>, deps: ChainDeps): Promise<ChainAdapter>
  /** For commands that put chains into a configuration and deploy contracts; no host calls it. */
  setup?(): Promise<ChainSetup>
}

/** Identity at run time; checks the shape where it is written. */
export const defineChainPackage = <Schema extends TSchema>(definition: ChainPackage<Schema>): ChainPackage<Schema> =>
  definition
