import type { Hex } from '../money/hex.js'
import type { AddressCodec } from '../order/encoding/addressCodec.js'
import type { ContractWallets } from '../signature/contractWallets.js'
import type { Arrival, DepositAddresses, Live } from './address/depositAddresses.js'
import type { BalanceQuery, Balances } from './balances.js'
import type {
  Approval,
  BlockRef,
  ChainMoney,
  DepositReference,
  Destination,
  FeeQuote,
  StepItemDraft,
  TxRef,
} from './chainReferences.js'
import type { Diagnosis, DiagnosisRequest } from './endpoint/diagnosis.js'
import type { Disagreement, EndpointHealth } from './endpoint/endpointHealth.js'
import type { Json } from './json.js'
import type { LaneAdapter, Payout } from './laneAdapter.js'
import type { ExplainFailure } from './origin/failureTree.js'
import type { SignedDeposits } from './origin/signedDeposits.js'
import type {
  DirectCandidate,
  DirectExecution,
  DirectFailure,
  DirectRequest,
  SwapCapability,
  SwapOrder,
} from './swaps.js'
import type { VmType } from './vmType.js'

/** Declared once, so that a quote is refused early instead of failing late (chains.md, ChainAdapter implications 6). */
export interface Capabilities {
  readonly tokens: boolean
  /** Whether a fill can run calls (wire.md G.2); `not-configured` where the VM can and the operator set up no contract for it. */
  readonly destinationCalls: boolean | 'not-configured'
  readonly simulation: 'full' | 'balance-checks'
  readonly bump: 'replace' | 'resign-after-expiry'
  /** Whether a transaction is seen before it is in a block: a deposit then counts as known to the chain only once it is in one (wire.md 2.3). */
  readonly mempoolVisibility: boolean
  readonly depositBinding: 'contract-arg' | 'memo' | 'nonce-map'
  /** Whether a payment can name the owner within an account by a number; else a recipient with a tag is refused. */
  readonly destinationTag: boolean
  /** Longest text, in bytes of UTF-8, that a payment can carry for its recipient beside the order id; absent: none. */
  readonly destinationMemoBytes?: number
  readonly maxOriginTxBytes: number | null
  readonly refundToDepositor: boolean
  /** Whether somebody else than the user may pay fee and rent of a deposit; absent: no. */
  readonly depositFeePayer?: boolean
  /** Whether a payout may carry native currency beside its own (wire.md G.1); absent: no. */
  readonly gasTopup?: boolean
  /**
   * Whether nothing that is in a block ever leaves the chain: no watcher rewinds, `confirmations.settle` may be 0, and a payment is dead
   * as soon as `payoutVerdict` says so, without `deathMargin`. A rewind halts the chain (faults.md F125). Absent: blocks may be replaced, up to
   * `finalHeight` or as deep as is configured.
   */
  readonly absoluteFinality?: boolean
  /**
   * Whether a recipient may take no less than some amount: a quote asks `recipientStatus` then, and refuses less with the least told.
   * Absent: a quote does not ask; what cannot be received shows in the simulation.
   */
  readonly recipientLeast?: boolean
  /**
   * Whether native currency of the operator lies in the depository, which opened its account or pays the fees of withdrawals: the depository
   * holds more than was deposited, and the ledger does not say how much. Absent: it holds just the deposits.
   */
  readonly depositoryFloat?: boolean
  /** Usual seconds from one head to the next, where heads are far apart; absent: well below a minute. */
  readonly headIntervalSeconds?: number
  /** The standard by which its wallets sign in to a service; absent: none that a service here could check. */
  readonly walletSignIn?: 'eip-4361'
}

/** `tag` is one that the text itself holds, such as that of an X-address (chains.md xrpvm 1); `canonical` is without it. */
export type AddressCheck =
  | { readonly ok: true; readonly canonical: string; readonly tag?: number }
  | { readonly ok: false; readonly why: string }

export type TransactionIdCheck =
  | { readonly ok: true; readonly canonical: string }
  /** `form`: what an id looks like, as the end of a sentence: "The transaction hash must be ..." */
  | { readonly ok: false; readonly form: string }

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

export type SimulationFailureKind =
  | 'revert'
  | 'insufficient-funds'
  | 'recipient-cannot-receive'
  | 'too-large'
  | 'transient'

export type Simulation =
  | {
      readonly ok: true
      /** What its execution takes in the chain's own measure (gas, compute units); 0 on a chain that has none. Handed on to `prepare`. */
      readonly gas: bigint
      readonly block: bigint
      /** From this amount up, smallest unit, the answer is the same for any; absent: it is about the simulated amount alone. */
      readonly leastAmount?: bigint
      /** Native amount the payer leaves in accounts that the payment has to create for the recipient; absent: none. */
      readonly accountCreation?: bigint
      /** In plain words, the part that a chain which runs payments could not run this time; absent: it ran all of it, or runs none. */
      readonly notRun?: string
    }
  | {
      readonly ok: false
      readonly kind: SimulationFailureKind
      /** What it was to bring about has come about, by whomever: it cannot be done again, and need not. */
      readonly done?: true
      /** With `recipient-cannot-receive`: from this amount up, smallest unit, it could be received. */
      readonly leastAmount?: bigint
      /** Plain words for a stranger; no URL, no key. */
      readonly message: string
      /** Decoded or raw revert data, cut to a fixed size. */
      readonly data?: Json
      readonly call?: { readonly from: string; readonly to: string; readonly data: string; readonly value: string }
      readonly block?: bigint
    }

/** Why a payout would fail. */
export type SimulationFailure = Extract<Simulation, { readonly ok: false }>

export type DepositState = 'seen' | 'included' | 'dropped' | 'reorged' | 'failed'

/**
 * A deposit the watcher recognised. (chain, `tx.id`, `position`) identifies it for ever: `position` counts the
 * deposits of one transaction from 0, so it survives a re-mined block in which log indexes move.
 */
export interface DepositEvent {
  readonly state: DepositState
  readonly tx: TxRef
  readonly position: number
  /**
   * Where in its block or transaction the deposit stands, as chains.md common rules 5 has it for this VM (log index, instruction, output);
   * 0 where a transaction can hold one only. Part of the on-chain id, so a second reading must give the same while the block stays.
   */
  readonly index: number
  /** Null when the deposit carries no order id. */
  readonly orderId: Hex | null
  /**
   * Who is paid back where nobody said another: an account, or `destinationText` with the tag it came from, as the chain shows it
   * (faults.md F24).
   */
  readonly depositor: string
  /**
   * Accounts that surely sent it: they signed, or all the money was theirs. A depositor that anyone may name is not among them
   * for that alone. Absent: the one in `txData.from`.
   */
  readonly senders?: readonly string[]
  /** Whose balance went down by the money, which may be neither sender nor depositor; absent or null where the chain does not show one account. */
  readonly source?: string | null
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
  /** What was looked at, in a word (`receipt`, `transaction`). With `reason` for `inTxs[].metadata.reorg` (wire.md 3.1 TX). */
  readonly source: string
  /** What it showed, as a sentence for a stranger: "The transaction reverted"; no URL, no key. */
  readonly reason: string
  readonly blockNumber?: bigint
  readonly blockHash?: string
  readonly receiptStatus?: string
}

/**
 * One step of a watcher: everything that happened up to its height and was not told before, side by side, so that an adapter that knows
 * only deposits leaves the rest out. Pages are delivered in order; applying one twice changes nothing. `rewoundTo` is set when blocks above
 * that height left the chain: every stored deposit above it must be rechecked, and arrivals above it that are not told again are gone.
 */
export interface WatchPage {
  readonly deposits: readonly DepositEvent[]
  /** Money that came to live addresses, in configured and in native currency. It is stored before the deposits that its sweeps made. */
  readonly arrivals?: readonly Arrival[]
  /** Opaque to the host, stored with the page. */
  readonly cursor: Json
  /** Height up to which the chain has been read. */
  readonly height: bigint
  readonly tip: bigint
  readonly rewoundTo: bigint | null
  /**
   * With `rewoundTo`: how many blocks, of those that were read, surely were replaced by others or left, from the newest on. It may be
   * less than `rewoundTo` tells, which goes back to one that surely stayed. Absent where the watcher cannot tell.
   */
  readonly replaced?: bigint
  /**
   * Heights that were read a second time, at another provider: above the first and up to the second. What it showed is among the
   * deposits; what it did not show, or showed otherwise, is looked up at all of them.
   */
  readonly again?: { readonly after: bigint; readonly upTo: bigint }
  /** Direct swaps of users that were recognised; see DirectCapability. */
  readonly executions?: readonly DirectExecution[]
  /** Transactions that name requests which users carry out alone, told where such a quote is live; one may be told again. */
  readonly candidates?: readonly DirectCandidate[]
}

/** Whether an account can be paid in a currency, now. */
export interface RecipientStatus {
  readonly canReceive: boolean
  /** Why it cannot, in plain words for a stranger. */
  readonly why?: string
  /** What the payer leaves in accounts that have to be created for it. */
  readonly cost?: ChainMoney
  /**
   * Least amount of the currency that one payment may bring it, smallest unit: what opens the account, or the least that it must hold
   * (chains.md xrpvm 5, svm 5). Absent: any. It counts where `capabilities.recipientLeast` says so.
   */
  readonly least?: bigint
}

/** Sends, wraps, unwraps and swaps that users run alone on this chain. */
export interface DirectCapability {
  /** The kinds this chain can build. */
  readonly kinds: readonly DirectRequest['kind'][]
  /** A swap can carry deposits (`DirectRequest.deposits`). Absent: none can. */
  readonly deposits?: true
  /** Native cost of the transaction; throws ServiceError when it could never be sent. */
  estimateFee(request: Omit<DirectRequest, 'requestId'>): Promise<FeeQuote>
  build(request: DirectRequest): Promise<readonly StepItemDraft[]>
  /** What a reported transaction did for this request, null while it is unknown, not included, failed or does something else. */
  find(tx: TxRef, request: Omit<DirectRequest, 'swap' | 'fee' | 'deposits'>): Promise<DirectExecution | null>
  /** The same, and of one that surely was sent by `from` for this request and failed, that. Absent: failures are not told. */
  outcome?(
    tx: TxRef,
    request: Omit<DirectRequest, 'swap' | 'fee' | 'deposits'>,
  ): Promise<DirectExecution | DirectFailure | null>
}

/** What a token says of itself on the chain, cut and cleaned; a listed currency never depends on it. */
export interface TokenFacts {
  readonly symbol: string
  readonly name: string
  readonly decimals: number
}

/** The tokens and contracts of a chain as one provider shows them. */
export interface ProviderView {
  readonly provider: string
  /** Like `readToken`, several in one batch. Absent where a VM has no tokens. */
  readTokens?(currencies: readonly string[]): Promise<readonly (TokenFacts | null)[]>
  /** Like `verifyContracts` of the adapter. */
  verifyContracts(expected: Pick<DiagnosisRequest, 'allocator'>): Promise<readonly Diagnosis[]>
}

/** A contract that takes tokens from the wallet by an allowance. */
export interface Spender {
  /** How commands name it, such as `fill-router`. */
  readonly name: string
  readonly address: string
}

/** Everything the service asks of one configured chain (architecture.md 4). Optional members are absent where a VM has no such thing. */
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
  /** Decimal places of the native currency on every chain of this VM, whatever the configuration says. Absent: they differ by chain. */
  readonly nativeDecimals?: number
  readonly depository: string
  /** Further contracts and accounts of the configuration that money goes through, by name. Absent: none. */
  readonly moneyAccounts?: Readonly<Record<string, string>>
  /** Contract that emits the proof of native fills and calls, where the VM has one. */
  readonly fillContract: string | null
  /** Largest amount the VM can represent. */
  readonly maxAmount: bigint
  /**
   * Largest amount, not above this one, that one payment can carry, smallest unit: amounts of the XRP Ledger's issued currencies have 15
   * significant digits (chains.md xrpvm 10). Pure; never falls where the amount rises. Absent: any.
   */
  payable?(money: ChainMoney): bigint

  /** Pure and synchronous. No address has a question mark in it: there a tag or memo begins (`readDestination`). */
  validateAddress(text: string): AddressCheck
  /** Canonical id of a well-formed currency (the zero address is the native one, wire.md K.1 10), else null. */
  normalizeCurrency(text: string): string | null
  sameAddress(left: string, right: string): boolean
  /** Form and canonical text of a transaction id that a client names; says nothing of whether it exists. Absent: any visible text is one. */
  checkTransactionId?(text: string): TransactionIdCheck
  /** How records show the id of a transaction of a user on this chain (wire.md 3.1); absent: as it is. */
  shownTransactionId?(id: string): string
  explorerPaths(): { readonly transaction: string; readonly address: string; readonly token: string }
  /**
   * What clients name as user or recipient while no wallet is connected, its form on this very network first (wire.md 0.5): such a
   * quote is a price, with nothing to execute. Absent: none is known.
   */
  readonly placeholders?: readonly string[]
  /**
   * Whether no key can be known for a canonical address, beyond `placeholders` and the native marker: precompiles, burn addresses.
   * Pure and synchronous; money paid there is lost. Absent: no such address is known.
   */
  ownerless?(address: string): boolean
  /**
   * Bytes for the `extraData` of the order's output or refund, which go to `destination`: what the order's own recipient bytes
   * cannot say of it, such as a tag (chains.md xrpvm 2), or the contract that pays out (chains.md evm 5).
   */
  orderExtraData(destination: Destination): Hex
  /** Bytes of addresses and currencies, the native one too, in order ids. Required for a VM beyond the nine of core; may replace the codec of a test network. */
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
  /** One batched round trip. Throws ServiceError when no native balance can be read. */
  getBalances(queries: readonly BalanceQuery[]): Promise<Balances>
  /** Of one of `placeholders`, what holds of an account in use. */
  recipientStatus(to: Destination, currency: string): Promise<RecipientStatus>
  /** Native cost of one deposit transaction by the user (wire.md 1.3 `fees.gas`). Throws ServiceError when it could never be sent. */
  estimateDepositFee(request: DepositRequest): Promise<FeeQuote>
  /** Native cost of paying out, from the current fee level and a typical or simulated gas amount. */
  estimatePayoutFee(payout: Payout, simulation?: Simulation): Promise<FeeQuote>
  /**
   * Runs the payout as the solver would send it. `bound`: gas proven to be enough will do in place of what it takes, where
   * that saves a call; for a payment that is decided on, not for its price.
   */
  simulate(payout: Payout, gas?: 'exact' | 'bound'): Promise<Simulation>

  /** Absent where a failed simulation says all there is. */
  explainFailure?: ExplainFailure

  buildDeposit(request: DepositRequest): Promise<readonly StepItemDraft[]>
  /** Starts reading what `buildDeposit` will need of the chain, before the order has an id; a hint only. */
  prefetchDeposit?(request: Omit<DepositRequest, 'orderId'>): void
  /**
   * Reads everything from a stored cursor (null: from the configured start block or the tip) until the signal aborts. The cost of a block must
   * not depend on how much is live: where nothing is, no more of it is read than its deposits.
   */
  watch(cursor: Json, live: Live, signal: AbortSignal): AsyncIterable<WatchPage>
  /**
   * A cursor from which `watch` reads a height and all that come after it, so that an operator can have a range read again. Absent: it
   * cannot be.
   */
  cursorAt?(height: bigint): Promise<Json>
  /** Makes the watcher read now; a client said that it just sent something. */
  poke?(): void
  /** Looks stored deposits up again: after a reorg, or before they are trusted. */
  recheckDeposits(deposits: readonly DepositReference[]): Promise<readonly DepositEvidence[]>
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

  /**
   * What a transaction brought an account, in the smallest unit of the currency; below 0, what it took out. The network's fee is not
   * counted. Null where it cannot be told: it did not succeed, is in no block, or moved native currency in a way that no node shows.
   * Absent: the chain cannot show it.
   */
  accountGain?(tx: TxRef, account: { readonly address: string; readonly currency: string }): Promise<bigint | null>

  /** Looks at endpoints and contracts one by one and says what is wrong with each; sends nothing, needs no `start`. */
  diagnose?(request: DiagnosisRequest): Promise<readonly Diagnosis[]>

  /**
   * Compares the contracts and accounts that money goes through with what the configuration says of them: code, owner, allocator, oracle.
   * A `fault` keeps the chain from being quoted. Needs no `start`. Throws ServiceError when no node answers. Absent: not compared.
   */
  verifyContracts?(expected: Pick<DiagnosisRequest, 'allocator'>): Promise<readonly Diagnosis[]>

  /**
   * The view of each trusted provider, and how many are configured, so that one dishonest node does not hold a chain. Absent: `readToken`
   * and `verifyContracts` of the adapter are believed.
   */
  providerViews?(): { readonly providers: readonly ProviderView[]; readonly providerCount: number }

  /** Allowance of a contract for an owner's token; 0 if the token does not answer. Absent where a VM has no allowances. */
  readAllowance?(spending: Omit<Approval, 'amount'>): Promise<bigint>

  /** A token's own metadata; null when it is no token or answers nonsense. Absent where a VM has none. */
  readToken?(currency: string): Promise<TokenFacts | null>
  readonly swaps?: SwapCapability
  readonly direct?: DirectCapability
  /** Addresses that users pay to by a plain transfer (wire.md E). */
  readonly depositAddresses?: DepositAddresses
  /** Deposits that users sign for and the service sends (wire.md F). */
  readonly signedDeposits?: SignedDeposits
  /** Wallets that are contracts and vouch for signatures themselves. Absent where a VM has none. */
  readonly contractWallets?: ContractWallets
  /**
   * Contracts of this deployment that may be allowed to take a token out of the wallet: a payout with the purpose `approve` to one of them
   * sets how much. Absent where the VM has no allowances.
   */
  readonly spenders?: readonly Spender[]

  readonly lane: LaneAdapter
}
