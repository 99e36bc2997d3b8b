import type { CurrencyConfig } from '../../chain/chainPackage.js'
import type { LocalChain } from './localChain.js'
import type { TestKey } from './testWallet.js'

/** A token to be made. */
export interface TokenPlan {
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  readonly groupId: string
  /** Which of the chain's token standards, where it has several, by the chain's own name of it. */
  readonly standard?: string
}

/** Whole units that an account is given: of the native currency, and of each token. */
export interface Holdings {
  readonly native: bigint
  readonly token: bigint
}

/** What a deployment needs on a chain of its own, and who takes part. */
export interface DeploymentPlan {
  readonly tokens: readonly TokenPlan[]
  /** A token that no list has and no source prices: reached over pools alone, where the chain has an exchange to put them on. */
  readonly unlisted?: Omit<TokenPlan, 'groupId'>
  /** The solver's account. */
  readonly payout: TestKey
  readonly allocator: TestKey
  /** Sends for users, where the chain does that: it is given gas. */
  readonly origin?: TestKey
  /** Secret of deposit addresses, 32 bytes: what whoever quotes may know of it goes into the options. Absent: no addresses that have keys. */
  readonly seed?: Uint8Array
  /** Addresses of users on this chain. */
  readonly users: readonly string[]
  readonly solverHolds: Holdings
  readonly userHolds: Holdings
}

/** A currency that stands in no configuration. */
export type UnlistedCurrency = Pick<CurrencyConfig, 'address' | 'symbol' | 'name' | 'decimals'>

/** What was made, as the configuration of a host takes it. */
export interface LocalDeployment {
  readonly depository: string
  /** Of the chain's package. */
  readonly options: Readonly<Record<string, unknown>>
  /** Variables that a host needs besides: secrets, whose names stand in the options. Absent: none. */
  readonly environment?: Readonly<Record<string, string>>
  /** The native one first, then the tokens of the plan in their order. */
  readonly currencies: readonly CurrencyConfig[]
  readonly unlisted: readonly UnlistedCurrency[]
}

/** How a sandbox runs chains of one kind. */
export interface SandboxChain {
  /** What stands in the command line of a detached chain's process, by which a recorded process is known again. */
  readonly processWord: string
  /**
   * `shared`: one key allows withdrawals on all such chains. `own`: the key of one chain's allocator holds what is deposited
   * there, so each chain has its own.
   */
  readonly allocator: 'shared' | 'own'
  /** Transactions are sent for users here, by a key of its own that holds gas; absent: none are. */
  readonly sendsForUsers?: true
  /** Whether there is anything but the native currency; else a plan has no tokens. */
  readonly hasTokens: boolean
  /** Puts on a local chain whatever a deployment needs: contracts, tokens, pools, and funds of solver and users. */
  deploy(chain: LocalChain, plan: DeploymentPlan): Promise<LocalDeployment>
}

/** Whole units in the smallest unit of a currency. */
export const wholeUnits = (amount: bigint, decimals: number): bigint => amount * 10n ** BigInt(decimals)
