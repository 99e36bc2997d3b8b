import type { Static, TSchema } from '@sinclair/typebox'
import type { Logger } from 'pino'
import type { Clock } from '../clock/clock.js'
import type { Environment } from '../container/environment.js'
import type { NonceMappings } from '../nonceMapping/nonceMappings.js'
import type { AccessTokens } from './address/accessTokens.js'
import type { KeptSums } from './address/keptSums.js'
import type { ChainAdapter } from './chainAdapter.js'
import type { ChainConfig } from './chainConfig.js'
import type { ChainSetup } from './chainSetup.js'
import type { Signer } from './signer.js'

export type { ChainConfig, CurrencyConfig, QuorumTier } from './chainConfig.js'

/** What a chain package is given besides its options. */
export interface ChainDeps {
  readonly config: ChainConfig
  readonly clock: Clock
  readonly logger: Logger
  /** Variables of the process that the options name, such as the API key of an aggregator. */
  readonly environment: Environment
  /** Where `capabilities.depositBinding` is `nonce-map`: the orders of its transfers. Absent where a command makes the adapter, without a database. */
  readonly nonceMappings?: NonceMappings
  /** Where deposit addresses are parts of one account: what lay in each when it was last read. Absent where a command makes the adapter, without a database. */
  readonly keptSums?: KeptSums
  /** Where only the holder of a key may read an account: tokens of that key. Absent where a command makes the adapter, without a database. */
  readonly accessTokens?: AccessTokens
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
  /**
   * What its options name of the secret of deposit addresses (`keys.hd`), so that who only gives addresses needs no secret
   * (architecture.md 4, Keys): by option. Absent where addresses take no key.
   */
  addressOptions?(seed: Uint8Array, options: Static<Schema>, chainId: number): Readonly<Record<string, string>>
  /** For commands that put chains into a configuration and deploy contracts; no host calls it. */
  setup?(): Promise<ChainSetup>
}

/** Identity at run time; checks the shape where it is written. */
export const defineChainPackage = <Schema extends TSchema>(definition: ChainPackage<Schema>): ChainPackage<Schema> =>
  definition
