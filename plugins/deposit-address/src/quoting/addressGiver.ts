import { destinationText, ServiceError } from '@causeway/core'
import type { DepositAddresses, DepositAddressTerms, DerivedAddress } from '@causeway/core/chain'
import {
  type Chain,
  type DatabasePool,
  derivedAt,
  derivedTurns,
  holderKey,
  type StoredDepositAddress,
  takePooled,
} from '@causeway/core/plugin'

export interface AddressGiverDeps {
  readonly pool: DatabasePool
  /** Most pooled addresses of one caller in an hour. */
  readonly addressesPerHour: number
}

/** For whom an address is made. */
export interface AddressCall {
  readonly chain: Chain
  readonly terms: DepositAddressTerms
  /** See `holderOf`; null: nobody counts. */
  readonly holder: string | null
}

const sameDerived = (one: DerivedAddress, other: DerivedAddress): boolean =>
  destinationText(one.destination) === destinationText(other.destination) &&
  JSON.stringify(one.derivation) === JSON.stringify(other.derivation)

const doubtful = (): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', 'The address to pay to could not be checked. Ask for another quote.')

const used = (): ServiceError =>
  new ServiceError(
    'SERVICE_UNAVAILABLE',
    'The addresses of this order belong to other orders already. Ask for another quote.',
  )

/** The capability of a chain. Throws ServiceError `UNSUPPORTED_EXECUTION_TYPE` where it has none. */
export const addressesOf = ({ adapter, config }: Chain): DepositAddresses => {
  if (adapter.depositAddresses !== undefined) return adapter.depositAddresses
  throw new ServiceError(
    'UNSUPPORTED_EXECUTION_TYPE',
    `body.useDepositAddress is not supported on chain ${config.id}: it has no addresses to pay to here`,
  )
}

/** Gives addresses out, and says of those given before whether they are ours. */
export class AddressGiver {
  readonly #deps: AddressGiverDeps

  constructor(deps: AddressGiverDeps) {
    this.#deps = deps
  }

  /**
   * A new address: derived from the order, or the next of the pool that the holder of the seed signed.
   * @throws ServiceError SERVICE_UNAVAILABLE, ROUTE_TEMPORARILY_RESTRICTED as `takePooled`
   */
  async give({ chain, terms, holder }: AddressCall, now: number): Promise<DerivedAddress> {
    const { pool: addresses } = addressesOf(chain)
    if (addresses === undefined) return this.#derived(chain, terms)
    const { pool, addressesPerHour } = this.#deps
    const share = { holder: holder === null ? null : holderKey(holder), most: addressesPerHour }
    const { destination, derivation } = await takePooled(pool, { chainId: chain.config.id, addresses }, share, now)
    return { destination, derivation }
  }

  /** Computed twice: a user is told nothing that only one run of the arithmetic says. */
  async #derived(chain: Chain, terms: DepositAddressTerms): Promise<DerivedAddress> {
    const addresses = addressesOf(chain)
    const turns = derivedTurns(addresses, terms)
    if (turns.length === 0) throw new Error(`Chain ${chain.config.id} neither derives addresses nor pools them`)
    const address = turns.length === 1 ? turns[0] : await this.#free(chain, turns)
    if (address === undefined) throw used()
    const again = derivedAt(addresses, { ...terms }, address.destination)
    if (again === undefined || !sameDerived(address, again)) throw doubtful()
    return address
  }

  /**
   * The first that no order has. Two quotes that look at once for the same one are told apart by the statement that stores them: the
   * second is refused (faults.md F18).
   */
  async #free({ config }: Chain, turns: readonly DerivedAddress[]): Promise<DerivedAddress | undefined> {
    const { rows } = await this.#deps.pool.query<{ address: string }>({
      name: 'addresses_taken',
      text: 'select address from deposit_addresses where address = any($1) and chain_id = $2',
      values: [turns.map(({ destination }) => destinationText(destination)), config.id],
    })
    const taken = new Set(rows.map(({ address }) => address))
    return turns.find(({ destination }) => !taken.has(destinationText(destination)))
  }

  /** Whether a stored address is what its order derives to, or was signed by the holder of the seed. */
  async isOurs(chain: Chain, stored: StoredDepositAddress): Promise<boolean> {
    const { depositAddresses } = chain.adapter
    if (depositAddresses === undefined) return false
    const { destination, derivation } = stored
    if (depositAddresses.pool === undefined) {
      const { orderId, depositor } = stored
      const derived = derivedAt(depositAddresses, { orderId, depositor }, destination)
      return derived !== undefined && sameDerived(derived, { destination, derivation })
    }
    const { rows } = await this.#deps.pool.query<{ signature: `0x${string}` }>(
      'select signature from deposit_address_pool where chain_id = $1 and address = $2 and taken_at is not null',
      [stored.chainId, destinationText(destination)],
    )
    const [row] = rows
    return row !== undefined && depositAddresses.pool.isGenuine({ destination, derivation, signature: row.signature })
  }
}
