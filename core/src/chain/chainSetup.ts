import type { ChainConfig, CurrencyConfig } from './chainConfig.js'
import type { RpcEndpoint } from './endpoint/rpcEndpoint.js'
import type { Signer } from './signer.js'

/** A chain as everyone knows it, and nobody's endpoint: what a configuration may begin with. */
export interface PublicChain {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly network: 'mainnet' | 'testnet'
  readonly explorerUrl?: string
  readonly confirmations: ChainConfig['confirmations']
  readonly native: CurrencyConfig
  /** Well-known tokens; what they say of themselves is checked on the chain before one is configured. */
  readonly tokens: readonly CurrencyConfig[]
  /** Options of the package that every deployment on this chain needs. */
  readonly options: Readonly<Record<string, unknown>>
}

/** What a node says of a token. */
export interface ReadToken {
  /** As configurations write it. */
  readonly address: string
  readonly symbol: string
  readonly name: string
  readonly decimals: number
}

/** Nodes of a chain that is about to be configured. */
export interface SetupPlace {
  readonly id: number
  readonly rpc: readonly RpcEndpoint[]
  readonly options: Readonly<Record<string, unknown>>
  /** Most time for one answer. */
  readonly timeoutMs: number
}

/** Whose keys a deployment of contracts has at hand; null: not here. */
export interface ContractKeys {
  /** Pays for the contracts. No host ever holds it. */
  readonly deployer: Signer | null
  readonly payout: Signer | null
  readonly allocator: Signer | null
  /** Secret of deposit addresses (`keys.hd`), where this command was given it; chains whose addresses share an account set that up. */
  readonly seed?: Uint8Array | null
}

/**
 * Who signs and pays a step. `addresses`: the account that deposit addresses share, whose key comes of the seed.
 */
export type ContractPayer = 'deployer' | 'payout' | 'allocator' | 'addresses'

/** A chain whose contracts are looked at or deployed. */
export interface ContractRequest {
  readonly config: Pick<ChainConfig, 'id' | 'slug' | 'rpc' | 'currencies' | 'options'> & { readonly solver?: string }
  readonly keys: ContractKeys
  readonly timeoutMs: number
}

/** One thing that must be so on the chain; whoever is short of keys is told who must do it. */
export interface ContractStep {
  /** Says what is done to what, with addresses: a stored transaction is of this very step or of none. */
  readonly id: string
  readonly title: string
  /**
   * `needed`: a transaction of `payer` does it. `fault`: it is wrong, and no transaction of this command puts it right.
   * `unknown`: it cannot be told here, or waits for what is not there yet.
   */
  readonly state: 'done' | 'needed' | 'fault' | 'unknown'
  readonly detail: string
  readonly payer: ContractPayer | null
  /** Most it takes from `payer`, smallest unit of the native currency: fee and value. 0 unless needed. */
  readonly cost: bigint
}

/** What one account must hold for the steps it pays. */
export interface ContractFunds {
  readonly payer: ContractPayer
  readonly address: string
  readonly needed: bigint
  readonly held: bigint
}

/** State of a chain's contracts, in the order in which the steps are taken. */
export interface ContractReport {
  readonly steps: readonly ContractStep[]
  readonly funds: readonly ContractFunds[]
  /** Options of the chain as they should stand in the configuration. */
  readonly options: Readonly<Record<string, unknown>>
  readonly native: { readonly symbol: string; readonly decimals: number }
  /** What a fee is made of, for people. */
  readonly price: string
}

/** Signed bytes of a step, to be stored before they are sent. */
export interface SignedStep {
  readonly txId: string
  readonly raw: string
  readonly account: string
  readonly nonce: number
  /** Offered for one unit of gas; decimal text. */
  readonly price: string
}

/**
 * What became of a signed step. `open`: it may still land, so nothing else is signed for the step but its replacement.
 * `gone`: another transaction took its place for ever.
 */
export type StepOutcome = 'landed' | 'failed' | 'open' | 'gone'

/** The contracts of one chain, over its nodes. */
export interface ContractSession {
  inspect(): Promise<ContractReport>
  /** `replaces`: the last signed bytes of the same step, still open: the same place in the account, a higher fee. */
  sign(step: ContractStep, replaces: SignedStep | null): Promise<SignedStep>
  /** Sends again what may have been sent before; errors of the node are not told, the outcome is. */
  send(signed: SignedStep): Promise<void>
  outcome(signed: SignedStep): Promise<StepOutcome>
  close(): void
}

/** How chains of a package are put into a configuration; `ChainPackage.setup` loads it when an operator asks. */
export interface ChainSetup {
  readonly publicChains: readonly PublicChain[]
  /** A chain that no list has; null where such a chain cannot be described by an id alone. */
  ownChain(chain: { readonly id: number; readonly slug: string; readonly symbol: string }): PublicChain | null
  /** Every endpoint is a node of this chain. @throws SetupError */
  checkEndpoints(place: SetupPlace): Promise<void>
  /** @throws SetupError when there is no token */
  readToken(place: SetupPlace, address: string): Promise<ReadToken>
  /** Options that follow from keys before anything is on the chain; addresses of contracts to be deployed, for example. */
  optionsFor(keys: ContractKeys, chain: Pick<PublicChain, 'id' | 'options'>): Readonly<Record<string, unknown>>
  /** Permits and calls for users are sent by a key of its own (`keys.origin`). Absent: such chains send none. */
  readonly sendsForUsers?: true
  /** Absent: nothing is deployed on such chains. @throws SetupError when options or keys do not suffice */
  openContracts?(request: ContractRequest): ContractSession
}

/** Why a chain cannot be set up, for the operator; holds no URL and no key. */
export class SetupError extends Error {
  override readonly name = 'SetupError'
}
