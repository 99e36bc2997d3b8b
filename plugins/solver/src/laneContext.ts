import type { Clock, CurrencyRegistry } from '@causeway/core'
import type { Prices, Signer } from '@causeway/core/chain'
import type { SpendLimit, TransferObserver, WalletPolicy } from '@causeway/core/money-path'
import type {
  BalanceCurrency,
  Chain,
  ChainRegistry,
  DepositAddressRules,
  Keys,
  LeaseKeeper,
  Notifier,
  QuoteEngine,
} from '@causeway/core/plugin'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { SolverOptions } from './options.js'
import type { SignedOrders } from './wallet/signedOrders.js'

/** What every part of the solver works with. */
export interface SolverDeps {
  readonly pool: Pool
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
  readonly engine: QuoteEngine
  readonly prices: Prices
  readonly clock: Clock
  readonly keys: Keys
  readonly leases: LeaseKeeper
  readonly notifier: Notifier
  readonly log: Logger
  readonly observer: TransferObserver
  readonly options: SolverOptions
  readonly network: 'mainnet' | 'testnet'
  /** The currency of balances of wallets; null: this deployment keeps none. */
  readonly balanceCurrency: BalanceCurrency | null
  /** The operator's list of custodial senders. */
  readonly addressRules: DepositAddressRules
  /** Whose orders over the wallets are signed, and to whom. */
  readonly wallet: WalletPolicy
}

/** One signing lane: a chain and the key that pays there. */
export interface LaneContext extends SolverDeps {
  readonly chain: Chain
  /** Null: a payout key of before, which is not here. What it sent is followed to its end, and nothing is signed or decided. */
  readonly signer: Signer | null
  /** `origin`: its key only sends for users; it decides, pays and withdraws nothing. */
  readonly kind: 'payout' | 'origin'
  readonly address: string
  /** Signs withdrawals; null where this process takes nothing out of the chain's depository. */
  readonly allocator: Signer | null
  /** The secret of deposit addresses that have keys; null where this process has none. */
  readonly seed: Uint8Array | null
  /** What the signer may sign away in an hour. */
  readonly limits: readonly SpendLimit[]
  /** What was signed for orders of operators, by this process. */
  readonly signedOrders: SignedOrders
}

/** How the database knows a lane. */
export const laneKey = ({ chain, address, kind }: LaneContext) => ({ chainId: chain.config.id, signer: address, kind })

/** The signer whose balances are the inventory, and the currency of its fees. */
export const walletOf = ({ chain, address }: LaneContext) => ({ signer: address, native: chain.adapter.native.address })

/** Delay before the n-th retry: 0.25 s doubling to 30 s. */
export const backoffMs = (attempts: number): number => Math.min(250 * 2 ** Math.min(attempts, 7), 30_000)
