import type { Hex } from '../money/hex.js'
import type { AddressCodec } from '../order/encoding/addressCodec.js'
import type { Diagnosis, DiagnosisRequest } from './diagnosis.js'
import type { Disagreement, EndpointHealth } from './endpointHealth.js'
import type { LaneAdapter, Payout } from './laneAdapter.js'
import type { DirectExecution, DirectRequest, SwapCapability, SwapOrder } from './swaps.js'
import type { VmType } from './vmType.js'

/** Plain JSON, for what an adapter stores in the database and only it can read. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** Declared once, so that a quote is refused early instead of failing late (chains.md, ChainAdapter implications 6). */
export interface Capabilities {
  readonly tokens: boolean
  /** Whether a fill can run calls (wire.md G.2); `not-configured` where the VM can and the operator set up no contract for it. */
  readonly destinationCalls: boolean | 'not-configured'
  readonly simulation: 'full' | 'balance-checks'
  readonly bump: 'replace' | 'resign-after-expiry'
  readonly mempoolVisibility: boolean
  readonly depositBinding: 'contract-arg' | 'memo' | 'nonce-map'
  readonly depositAddress: readonly ('hd-key' | 'create2' | 'tag' | 'memo')[]
  readonly destinationTag: boolean
  readonly maxOriginTxBytes: number | null
  readonly refundToDepositor: boolean
  /** Whether somebody else than the user may pay fee and rent of a deposit; absent: no. */
  readonly depositFeePayer?: boolean
  /** Whether a payout may carry native currency beside its own (wire.md G.1); absent: no. */
  readonly gasTopup?: boolean
}

export interface Destination {
  readonly address: string
  readonly tag?: number
}

/** A transaction; `id` is the canonical text the API shows, `locator` what else the chain needs to find it. */
export interface TxRef {
  readonly id: string
  readonly locator?: Json
}

/** An amount in the smallest unit of a currency of the chain at hand. */
export interface ChainMoney {
  readonly currency: string
  readonly amount: bigint
}

export interface BlockRef {
  readonly height: bigint
  readonly hash: string
  /** Unix seconds. */
  readonly time: number
}

export type AddressCheck =
  | { readonly ok: true; readonly canonical: string; readonly tag?: number }
  | { readonly ok: false; readonly why: string }

/** What the user must send so that the order is paid. */
export interface DepositRequest {
  readonly from: string
  readonly money: ChainMoney
  readonly orderId: Hex
  /** ERC-20 style: true is approve plus depository call, false a bare transfer that carries the order id (wire.md G.4). */
  readonly explicitDeposit: boolean
  /** Who pays network fee and rent in place of `from`, where the VM has such a thing (wire.md 1.2 depositFeePayer). */
  readonly feePayer?: string
  /** Public key of `from`, where its address alone does not tell how to spend from it (wire.md 1.2 additionalData). */
  readonly userPublicKey?: string
  /** Turns what the user has into the deposited currency first; `money` is then what the swap is expected to give. */
  readonly originSwap?: SwapOrder
}

/** One item of a step, before the service adds request id and check (wire.md 1.4). Items of equal `stepId` in a row stay separate steps. */
export interface StepItemDraft {
  readonly stepId: 'approve' | 'deposit' | 'authorize' | 'send' | 'swap'
  readonly kind: 'transaction' | 'signature'
  readonly action: string
  readonly description: string
  readonly data: Json
}

export type SimulationFailureKind =
  | 'revert'
  | 'insufficient-funds'
  | 'recipient-cannot-receive'
  | 'too-large'
  | 'transient'

export type Simulation =
  | {
      readonly ok: true
      readonly gas: bigint
      readonly block: bigint
      /** Native amount the payer leaves in accounts that the payment has to create for the recipient; absent: none. */
      readonly accountCreation?: bigint
    }
  | {
      readonly ok: false
      readonly kind: SimulationFailureKind
      /** Plain words for a stranger; no URL, no key. */
      readonly message: string
      /** Decoded or raw revert data, cut to a fixed size. */
      readonly data?: Json
      readonly call?: { readonly from: string; readonly to: string; readonly data: string; readonly value: string }
      readonly block?: bigint
    }

export type DepositState = 'seen' | 'included' | 'dropped' | 'reorged' | 'failed'

/**
 * A deposit the watcher recognised. (chain, `tx.id`, `position`) identifies it for ever: `position` counts the
 * deposits of one transaction from 0, so it survives a re-mined block in which log indexes move.
 */
export interface DepositEvent {
  readonly state: DepositState
  readonly tx: TxRef
  readonly position: number
  /** Chain-wide index used for the on-chain id (chains.md common rules 5), for example the log index. */
  readonly index: number
  /** Null when the deposit carries no order id. */
  readonly orderId: Hex | null
  readonly depositor: string
  readonly depository: string
  readonly money: ChainMoney
  readonly block: BlockRef | null
  /** Who sent the transaction, what it called: for the record (wire.md 3.1 TX `data`). */
  readonly txData: { readonly from: string; readonly to: string; readonly data: string; readonly value: string }
  /** Native fee paid by the transaction, smallest unit. */
  readonly fee: bigint
}

/** What became of a stored deposit whose block left the chain. */
export interface DepositEvidence {
  readonly tx: TxRef
  readonly position: number
  /** `present` with its new place, `missing` (reorged away) or `failed` (canonically reverted). */
  readonly finding: 'present' | 'missing' | 'failed'
  readonly deposit?: DepositEvent
  /** For `inTxs[].metadata.reorg` (wire.md 3.1 TX). */
  readonly source: string
  readonly reason: string
  readonly blockNumber?: bigint
  readonly blockHash?: string
  readonly receiptStatus?: string
}

/**
 * One step of a watcher. Pages are delivered in order; applying one twice changes nothing. `rewoundTo` is set when blocks
 * above that height left the chain: every stored deposit above it must be rechecked.
 */
export interface WatchPage {
  readonly deposits: readonly DepositEvent[]
  /** Opaque to the host, stored with the page. */
  readonly cursor: Json
  /** Height up to which the chain has been read. */
  readonly height: bigint
  readonly tip: bigint
  readonly rewoundTo: bigint | null
  /** Direct swaps of users that were recognised; see DirectCapability. */
  readonly executions?: readonly DirectExecution[]
}

export interface RecipientStatus {
  readonly canReceive: boolean
  readonly why?: string
  readonly cost?: ChainMoney
}

/** What the network charges now; `validForMs` bounds caching. */
export interface FeeQuote {
  readonly network: ChainMoney
  /** What the currency itself takes of the payer beyond this very amount, its smallest unit; absent: nothing. Never cached. */
  readonly currencyFee?: bigint
  readonly validForMs: number
}

/** Sends, wraps, unwraps and swaps that users run alone on this chain. */
export interface DirectCapability {
  /** The kinds this chain can build. Swaps are recognised by the watcher; the others when a client reports them (wire.md 2.4). */
  readonly kinds: readonly DirectRequest['kind'][]
  /** Native cost of the transaction; throws ServiceError when it could never be sent. */
  estimateFee(request: Omit<DirectRequest, 'requestId'>): Promise<FeeQuote>
  build(request: DirectRequest): Promise<readonly StepItemDraft[]>
  /** What a reported transaction did for this request, null while it is unknown, not included, failed or does something else. */
  find(tx: TxRef, request: Omit<DirectRequest, 'swap' | 'fee'>): Promise<DirectExecution | null>
}

/** What a token says of itself on the chain, cut and cleaned; a listed currency never depends on it. */
export interface TokenFacts {
  readonly symbol: string
  readonly name: string
  readonly decimals: number
}

/** Everything the service asks of one configured chain (design: ChainAdapter). Optional members are absent where a VM has no such thing. */
export interface ChainAdapter {
  readonly chainId: number
  readonly slug: string
  readonly vmType: VmType
  readonly capabilities: Capabilities
  readonly native: {
    readonly address: string
    readonly symbol: string
    readonly name: string
    readonly decimals: number
  }
  readonly depository: string
  /** Contract that emits the proof of native fills and calls, where the VM has one. */
  readonly fillContract: string | null
  /** Largest amount the VM can represent. */
  readonly maxAmount: bigint

  /** Pure and synchronous. */
  validateAddress(text: string): AddressCheck
  /** Canonical id of a well-formed currency (the zero address is the native one, wire.md K.1 10), else null. */
  normalizeCurrency(text: string): string | null
  sameAddress(left: string, right: string): boolean
  explorerPaths(): { readonly transaction: string; readonly address: string; readonly token: string }
  /** Bytes for the order's `extraData`. */
  orderExtraData(): Hex
  /** Bytes of addresses and currencies in order ids: of a VM beyond the nine that core knows, or of a test network of one. */
  readonly addressCodec?: AddressCodec

  /** Checks chain id and head of every endpoint, opens subscriptions. Throws ServiceError when no endpoint is usable. */
  start(signal: AbortSignal): Promise<void>
  stop(): Promise<void>

  /** What each configured endpoint is worth now, from memory; absent where an adapter does not tell. */
  endpoints?(): readonly EndpointHealth[]
  /** Calls back each time providers turn out to contradict each other, until the signal aborts. */
  onDisagreement?(listener: (disagreement: Disagreement) => void, signal: AbortSignal): void

  tip(): Promise<BlockRef>
  /** Newest height that can never leave the chain, where the chain itself says so; absent: depth and age decide. */
  finalHeight?(): Promise<bigint>
  /** Calls back at each new head until the signal aborts; a hint only. */
  onHead(listener: (head: BlockRef) => void, signal: AbortSignal): void
  /** One batched round trip. */
  getBalances(
    queries: readonly { readonly address: string; readonly currency: string }[],
  ): Promise<{ readonly amounts: readonly bigint[]; readonly height: bigint }>
  recipientStatus(to: Destination, currency: string): Promise<RecipientStatus>
  /** Native cost of one deposit transaction by the user (wire.md `fees.gas`). Throws ServiceError when it could never be sent. */
  estimateDepositFee(request: DepositRequest): Promise<FeeQuote>
  /** Native cost of paying out, from the current fee level and a typical or simulated gas amount. */
  estimatePayoutFee(payout: Payout, simulation?: Simulation): Promise<FeeQuote>
  /**
   * Runs the payout as the solver would send it. `bound`: gas proven to be enough will do in place of what it takes, where
   * that saves a call; for a payment that is decided on, not for its price.
   */
  simulate(payout: Payout, gas?: 'exact' | 'bound'): Promise<Simulation>

  buildDeposit(request: DepositRequest): Promise<readonly StepItemDraft[]>
  /** Starts reading what `buildDeposit` will need of the chain, before the order has an id; a hint only. */
  prefetchDeposit?(request: Omit<DepositRequest, 'orderId'>): void
  /** Reads from a stored cursor (null: from the configured start block or the tip) until the signal aborts. */
  watch(cursor: Json, signal: AbortSignal): AsyncIterable<WatchPage>
  /** Makes the watcher look now; a client said that it just sent something. */
  poke?(): void
  /** Looks stored deposits up again: after a reorg, or before they are trusted. */
  recheckDeposits(
    deposits: readonly { readonly tx: TxRef; readonly position: number }[],
  ): Promise<readonly DepositEvidence[]>
  /**
   * True when `agreeing` trusted endpoints of distinct providers show the deposit, `confirmations` blocks deep; throws
   * ServiceError when too few answer. Providers that contradict each other are told to `onDisagreement`.
   */
  confirmDeposit(
    deposit: {
      readonly tx: TxRef
      readonly position: number
      readonly money: ChainMoney
      readonly orderId: Hex | null
      /** Height of its block as it was first seen. */
      readonly height?: bigint
    },
    options: { readonly agreeing: number; readonly confirmations?: number },
  ): Promise<boolean>
  /** State of one transaction, for hints of clients. */
  findTransaction(tx: TxRef): Promise<{
    readonly status: 'unknown' | 'pending' | 'success' | 'failure'
    readonly block: BlockRef | null
    readonly depositOrderIds: readonly Hex[]
  }>

  /** Looks at endpoints and contracts one by one and says what is wrong with each; sends nothing, needs no `start`. */
  diagnose?(request: DiagnosisRequest): Promise<readonly Diagnosis[]>

  /** A token's own metadata; null when it is no token or answers nonsense. Absent where a VM has none. */
  readToken?(currency: string): Promise<TokenFacts | null>
  readonly swaps?: SwapCapability
  readonly direct?: DirectCapability

  readonly lane: LaneAdapter
}
