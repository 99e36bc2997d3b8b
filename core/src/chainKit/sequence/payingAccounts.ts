import type { Payout } from '../../chain/laneAdapter.js'
import type { Signer } from '../../chain/signer.js'
import { ServiceError } from '../../errors/serviceError.js'

export interface PayingAccountsDeps {
  /** Withdrawals leave it, signed by the allocator's key. */
  readonly depository: string
  /** The account that deposit addresses are parts of, which sweeps leave, and its key from the seed; null: there is none. */
  readonly deposits: { readonly account: string; signer(seed: Uint8Array | undefined): Signer } | null
  addressOf(signer: Signer): string
}

/** The account of which a transaction takes a number, and which pays its fee: the lane's own, or one of the operator's. */
export type PayingRole = 'solver' | 'depository' | 'deposits'

/** Keys that a lane hands to `SequenceChain.sign`. */
export interface PayingKeys {
  readonly signer: Signer
  readonly allocator?: Signer | undefined
  readonly seed?: Uint8Array | undefined
}

/**
 * Accounts with numbers and keys of their own: the lane's, the depository and the one of deposit addresses. Serves `accountOf`, `others` and
 * `sign` of a `SequenceChain` whose depository is a plain account.
 */
export class PayingAccounts {
  readonly others: readonly string[]
  readonly #deps: PayingAccountsDeps

  constructor(deps: PayingAccountsDeps) {
    this.#deps = deps
    this.others = [deps.depository, ...(deps.deposits === null ? [] : [deps.deposits.account])]
  }

  accountOf({ purpose, from }: Pick<Payout, 'purpose' | 'from'>): string {
    const { depository, deposits } = this.#deps
    if (purpose === 'withdraw') return depository
    return purpose === 'sweep' && deposits !== null ? deposits.account : from
  }

  roleOf(account: string): PayingRole {
    const { depository, deposits } = this.#deps
    if (account === depository) return 'depository'
    return account === deposits?.account ? 'deposits' : 'solver'
  }

  /** The key of an account. @throws ServiceError SERVICE_UNAVAILABLE where the lane was not given it */
  keyOf(account: string, keys: PayingKeys): Signer {
    const key = this.#keyOf(account, keys)
    if (this.#deps.addressOf(key) === account) return key
    throw new ServiceError('SERVICE_UNAVAILABLE', 'The key at hand is not the key of the account that would pay.')
  }

  #keyOf(account: string, { signer, allocator, seed }: PayingKeys): Signer {
    const { depository, deposits } = this.#deps
    if (account === deposits?.account) return deposits.signer(seed)
    if (account !== depository) return signer
    if (allocator !== undefined) return allocator
    throw new ServiceError(
      'SERVICE_UNAVAILABLE',
      'A withdrawal needs the key of the depository (keys.allocator). Configure it.',
    )
  }
}
