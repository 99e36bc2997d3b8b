import { BoundedCache, type Clock } from '@causeway/core'
import type { Approval, ContractWallets, StepItemDraft } from '@causeway/core/chain'
import type { JsonRpcClient } from '@causeway/core/chain-kit'
import type { Contracts } from '../address/addresses.js'
import type { EvmSettings } from '../options.js'
import type { FeeSource } from '../payout/fees/feeSource.js'
import type { PayoutFees } from '../payout/payoutFees.js'
import { allowanceCall, firstWord } from '../read/balances.js'
import { type Allowance, approvals, type Spending } from './approvals.js'
import type { StepContext } from './stepItem.js'

/** A user who approves and asks again within this time gets a redundant approval step. */
const ALLOWANCE_MS = 5_000
const MAX_ALLOWANCES = 10_000

/** Shared by everything that users sign. */
export interface UserDeps {
  readonly rpc: JsonRpcClient
  readonly clock: Clock
  readonly contracts: Contracts
  readonly contractWallets: ContractWallets
  readonly steps: UserSteps
  readonly fees: PayoutFees
}

export interface UserStepsDeps {
  readonly chainId: number
  readonly rpc: JsonRpcClient
  readonly clock: Clock
  readonly fees: FeeSource
  readonly settings: EvmSettings
}

/** Fees and approvals of the transactions that users sign. */
export class UserSteps {
  readonly #deps: UserStepsDeps
  /** By spender, token and owner. */
  readonly #allowances: BoundedCache<bigint>

  constructor(deps: UserStepsDeps) {
    this.#deps = deps
    this.#allowances = new BoundedCache({ clock: deps.clock, maxEntries: MAX_ALLOWANCES, lifeOf: () => ALLOWANCE_MS })
  }

  async context(): Promise<StepContext> {
    const { chainId, fees, settings } = this.#deps
    return { chainId, fees: await fees.current(), legacy: settings.feeMode === 'legacy' }
  }

  /** Returns the context of a step and the approvals before it; a spending of null needs none. */
  async before(
    spending: Spending | null,
  ): Promise<{ readonly context: StepContext; readonly allowing: readonly StepItemDraft[] }> {
    const [context, allowance] = await Promise.all([
      this.context(),
      spending === null ? null : this.allowance(spending),
    ])
    return { context, allowing: spending && allowance ? approvals(spending, allowance, context) : [] }
  }

  async allowance({ owner, token, spender }: Omit<Spending, 'amount' | 'by'>): Promise<Allowance> {
    const allowance = await this.#allowances.get(`${spender}:${token}:${owner}`, () =>
      this.readAllowance({ owner, token, spender }),
    )
    return { allowance, zeroReset: this.#deps.settings.zeroResetTokens.has(token) }
  }

  async readAllowance({ owner, token, spender }: Omit<Approval, 'amount'>): Promise<bigint> {
    const [outcome] = await this.#deps.rpc.gather([allowanceCall(owner, token, spender)])
    return outcome?.ok ? firstWord(String(outcome.result)) : 0n
  }
}
