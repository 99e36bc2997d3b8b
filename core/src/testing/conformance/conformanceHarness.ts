import type { ChainAdapter } from '../../chain/chainAdapter.js'
import type { ChainMoney, StepItemDraft } from '../../chain/chainReferences.js'
import type { RpcEndpoint } from '../../chain/endpoint/rpcEndpoint.js'
import type { Json } from '../../chain/json.js'
import type { SignedAttempt } from '../../chain/laneAdapter.js'
import type { PermitForm } from '../../chain/origin/signedDeposits.js'
import type { Signer } from '../../chain/signer.js'
import type { Hex } from '../../money/hex.js'
import type { RuleId } from './ruleIds.js'

/** How this chain writes addresses. */
export interface AddressTable {
  /** Every way an account may be written, and the one form that is stored. */
  readonly valid: readonly { readonly text: string; readonly canonical: string }[]
  /** Texts that are no address here, at least one of each problem; `bad-checksum` only where addresses have one. */
  readonly invalid: readonly {
    readonly text: string
    readonly problem: 'foreign-network' | 'bad-checksum' | 'malformed'
  }[]
}

/** Something on the chain that a careless watcher takes for a deposit. */
export interface LookAlike {
  readonly what: string
  /** Makes it, carrying `orderId` wherever it can, waits until it is included, returns its transaction id. */
  make(orderId: Hex): Promise<string>
  /** What really arrived at the depository, to be reported as just that; null: nothing did. */
  readonly arrived: ChainMoney | null
}

/** A user who holds every currency of the harness. */
export interface HarnessUser {
  readonly address: string
  /** Signs and sends one step item with a plain wallet library, waits until it is included, returns its id. */
  send(data: Json, item: StepItemDraft): Promise<string>
  /**
   * Sends the item so that it is included in a block and fails there. Absent, where nothing in a block ever fails: declare
   * `deposit-failed`, `payout-reverted` and `arrival-failed`.
   */
  sendFailing?(data: Json, item: StepItemDraft): Promise<string>
  /**
   * As `send`, from the owner `tag` within the user's account (SourceTag of the XRP Ledger). Absent where deposits show no tag of their
   * sender: declare `deposit-tagged`.
   */
  sendTagged?(data: Json, item: StepItemDraft, tag: number): Promise<string>
}

/** A wallet that is a contract, and its owner's key. */
export interface HarnessWallet {
  readonly wallet: string
  /** The signature of a digest as the wallet wants it, by its owner's key or by another one. */
  sign(digest: Hex, by: 'owner' | 'stranger'): Promise<Hex>
}

/** Contract wallets of the local chain. */
export interface HarnessWallets {
  readonly there: HarnessWallet
  /** One that is not there yet, whose signatures say how it comes there (ERC-6492); absent where the chain has no such thing. */
  readonly coming?: HarnessWallet
  /** Contracts that do what they can against who asks them, and take no signature for their own. */
  readonly hostile: readonly { readonly what: string; readonly wallet: string }[]
}

/** Somebody who holds a currency that can be signed for, and who has given whatever allowance that needs. */
export interface HarnessPermits {
  readonly owner: string
  readonly currency: string
  /** As a client sends it: by the owner's key, or by another one. */
  sign(form: PermitForm, by: 'owner' | 'stranger'): Promise<string>
}

/**
 * Ways an endpoint can be wrong: it serves another chain, its head stands still, or it is on a branch of its own, so that its blocks have
 * the heights of all others and other hashes.
 */
export type HostileKind = 'wrong-chain' | 'stale-head' | 'forked'

/** An endpoint that misbehaves. */
export interface HostileEndpoint {
  readonly endpoint: RpcEndpoint
  close(): Promise<void>
}

/**
 * What a chain team hands to the conformance kit: an adapter over a local chain of its kind, and the means to make things
 * happen there. Abilities that are optional are needed by the rule named with them; without one, the rule fails unless
 * `deviations` says why the chain has no such thing.
 */
export interface ConformanceHarness {
  /** What is tested, as it goes into the report: the package and its version, the local chain and its version. */
  readonly versions: { readonly adapter: string; readonly localChain: string }
  /** Started over `rpc`. */
  readonly adapter: ChainAdapter
  /** Endpoints of the local chain. The first one's `http` is also used through a proxy of the kit's own. */
  readonly rpc: readonly RpcEndpoint[]
  /** Another adapter of the same chain with the same settings over these endpoints; not started. */
  createAdapter(rpc: readonly RpcEndpoint[]): ChainAdapter | Promise<ChainAdapter>
  /**
   * As `createAdapter`, reading deposits by the smallest pages that settings or the node allow, one block or two transactions at best.
   * Absent: declare `deposit-paged`.
   */
  smallPages?(rpc: readonly RpcEndpoint[]): ChainAdapter | Promise<ChainAdapter>
  /** Key of the solver; its account is funded in every currency given here. */
  readonly signer: Signer
  /** Key that signs withdrawals from the depository, where the chain has them. */
  readonly allocator: Signer | null
  /** Secret of `keys.hd`, of which the adapter is set up to know the public side. Absent where no key holds a deposit address. */
  readonly seed?: Uint8Array
  readonly user: HarnessUser
  /** Canonical currencies to run the money rules with; the native one first, and a token where the chain has tokens. */
  readonly currencies: readonly string[]
  /** Decimal places of the native currency, as the chain's own documentation says: not taken from the adapter. */
  readonly nativeDecimals: number
  /** An amount of each, large against fees and small against the balances; a new account must be able to receive it. */
  readonly amount: bigint
  /**
   * A new address that can receive the currency, the native one where none is named, and holds nothing of it: what it holds later is
   * compared with what was paid. Where a payment opens an account, one that is not opened yet.
   */
  freshAddress(currency?: string): string | Promise<string>
  readonly addresses: AddressTable
  /** How far estimates may be from what was charged, per cent of the charge. Part of what the adapter promises. */
  readonly feeErrorPercent: { readonly deposit: number; readonly payout: number }
  /**
   * Most native currency that the depository itself pays for receiving a payment, as a TON wallet pays its gas. Absent: an account
   * gains what it receives.
   */
  readonly receivingCost?: bigint
  /**
   * How many of the newest blocks of the local chain may still be replaced, as the adapter under test is set up: its
   * `confirmations.settle`, or what the chain's own finality leaves open. What lies deeper counts as final; `reorg` is asked
   * for no more. 0 where finality is absolute: `capabilities.absoluteFinality` is declared then, and `reorg` is absent.
   */
  readonly finalDepth: number
  /** Height of the newest block of the local chain, asked of the chain itself: depth and finality are measured by it. */
  height(): Promise<number>
  /** How long the kit waits for what should come soon. Default: 20 seconds. */
  readonly patienceSeconds?: number
  /** Includes what is pending and adds blocks. */
  advance(blocks: number): Promise<void>
  /** Drops the newest blocks with what they held, and replaces them. Absent: declare `deposit-reorg` and `payout-reorg`. */
  readonly reorg?: (depth: number) => Promise<void>
  /** Lets the time in which these could be included pass, in blocks or by the clock, without including them. For chains that sign anew after expiry. */
  readonly expire?: (attempts: readonly SignedAttempt[]) => Promise<void>
  /** A token that the user holds and that is none of `currencies`. Absent: declare `deposit-strange-token`. */
  readonly strangeToken?: () => Promise<string>
  /** Absent: declare `deposit-look-alikes`. */
  readonly lookAlikes?: readonly LookAlike[]
  /**
   * A token of the solver's whose transfers succeed and move nothing once `empty` was called, though simulations show nothing of it.
   * Absent where whatever succeeds has paid.
   */
  readonly hollowToken?: () => Promise<{ readonly currency: string; empty(): Promise<void> }>
  /**
   * Recipients that cannot be paid in that currency: the chain itself must refuse or fail a payment that is sent all the same.
   * `payout-reverted` tries these too, for a payment that fails in a block. Absent: declare `payout-impossible`.
   */
  readonly impossibleRecipients?: () => Promise<
    readonly { readonly what: string; readonly address: string; readonly currency: string }[]
  >
  /** Needed where the adapter has `contractWallets`. Absent: declare `wallet-signature`, `wallet-hostile`, `wallet-agreed`. */
  readonly contractWallets?: () => Promise<HarnessWallets>
  /** Needed where the adapter has `signedDeposits`. Absent: declare the rules whose names begin with `permit`. */
  readonly permits?: () => Promise<HarnessPermits>
  /** Starts an endpoint that is wrong in this way. Absent: declare `endpoint-wrong-chain`, `endpoint-stale-head`, `endpoint-forked`. */
  readonly hostile?: (kind: HostileKind) => Promise<HostileEndpoint>
  /**
   * Starts an endpoint of this chain whose node has the newest `finalDepth` blocks and the head alone, as one that prunes: it does not show older
   * blocks and their transactions, and answers about them as nodes of its kind do. A node that all endpoints share may forget until `close`.
   * Absent where no node ever prunes: declare `deposit-forgotten` and `death-forgotten`.
   */
  readonly forget?: () => Promise<HostileEndpoint>
  /** Rules this chain cannot be held to, with the reason, which the report shows. Only rules that may be declared. */
  readonly deviations?: Readonly<Partial<Record<RuleId, string>>>
}
