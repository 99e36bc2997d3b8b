import type { DepositAddress, DepositAddresses } from '../../../chain/address/depositAddresses.js'
import { type Balances, spendableAt } from '../../../chain/balances.js'
import type { ChainAdapter, SimulationFailure } from '../../../chain/chainAdapter.js'
import type { ChainMoney } from '../../../chain/chainReferences.js'
import type { Payout } from '../../../chain/laneAdapter.js'
import type { Signer } from '../../../chain/signer.js'
import { ServiceError } from '../../../errors/serviceError.js'
import { type KeyForm, requireSweepKey, type SweepKey, sweepKeyOf } from './accountKey.js'
import { saltOfDerivation, saltOfTerms } from './addressSalt.js'
import { type HdKey, hdAccountOfSeed, hdChildOf } from './hdAccount.js'
import { SeedAddressPool, type SeedPoolTerms, type SeedTree, seedKeyOf } from './seedPool.js'

/** Addresses and their keys: by BIP-32 from an extended public key (`derive`), or made ahead from the seed (`pool`). */
export interface KeySource extends Pick<DepositAddresses, 'derive' | 'pool'> {
  /** @throws ServiceError if the address has no derivation of this chain */
  keyOf(seed: Uint8Array, address: DepositAddress): SweepKey
}

export interface HdSourceTerms extends KeyForm {
  /** Extended public key of the account (`readHdAccount`). */
  readonly account: HdKey
  /** Path of the account, for example `m/44'/195'/0'`. */
  readonly path: string
}

/** Keys of secp256k1, derived by BIP-32 from the order's terms. */
export const hdKeySource = ({ account, path, ...form }: HdSourceTerms): KeySource => ({
  derive: (terms) => {
    const child = hdChildOf(account, saltOfTerms(terms))
    return { destination: { address: form.addressOf(child.publicKey) }, derivation: { path: `${path}/${child.path}` } }
  },
  keyOf: (seed, terms) => {
    const { secret } = hdChildOf(hdAccountOfSeed(seed, path), saltOfTerms(terms))
    if (secret === null) throw new Error('A private account has no private child.')
    return sweepKeyOf(secret, form)
  },
})

/** Keys of ed25519, made ahead by SLIP-10. @throws Error in plain words if the configured key is no public key */
export const seedKeySource = (tree: SeedTree, terms: SeedPoolTerms): KeySource => ({
  pool: new SeedAddressPool(tree, terms),
  keyOf: (seed, { derivation }) => {
    const salt = saltOfDerivation(derivation)
    if (salt !== null) return seedKeyOf(tree, seed, salt)
    throw new ServiceError('SERVICE_UNAVAILABLE', 'The deposit address is not of this chain: it has no salt.')
  },
})

export interface KeyedAddressesDeps
  extends Pick<DepositAddresses, 'sweepsOneCurrency' | 'opensByPayment' | 'buildPayment' | 'sweepFee'> {
  readonly keys: KeySource
  readonly depository: string
  readonly balances: ChainAdapter['getBalances']
}

/** Money that a sweep takes, the currency of the payout first. */
export interface KeyedSweep {
  readonly ok: true
  readonly takes: readonly ChainMoney[]
}

/** Addresses read in one call of `getBalances`. */
const ADDRESSES_AT_ONCE = 500

const refused = (kind: SimulationFailure['kind'], message: string): SimulationFailure => ({ ok: false, kind, message })

/**
 * Deposit addresses with a key each, on chains whose lane pays the network fee of a sweep while the address signs for its own money.
 * `addresses` is the member of the adapter; a lane drafts sweeps of `plan`, and signs them with `signer` beside its own key.
 */
export class KeyedAddresses {
  readonly addresses: DepositAddresses
  readonly #deps: KeyedAddressesDeps

  constructor(deps: KeyedAddressesDeps) {
    const { keys, sweepsOneCurrency = false, opensByPayment, buildPayment, sweepFee } = deps
    const { derive, pool } = keys
    this.#deps = deps
    this.addresses = {
      ...{ forms: ['hd-key'], isSweptByKey: true, sweepsOneCurrency, buildPayment, sweepFee },
      ...(opensByPayment && { opensByPayment }),
      ...(derive && { derive }),
      ...(pool && { pool }),
      holdings: (addresses, currencies) => this.#holdings(addresses, currencies),
    }
  }

  /**
   * Returns what a sweep takes now, or why no money can be moved.
   * @throws ServiceError SERVICE_UNAVAILABLE if nodes do not answer, or are behind the last sweep of the address
   */
  async plan({ orderId, to, money, sweep }: Payout): Promise<KeyedSweep | SimulationFailure> {
    if (sweep === undefined)
      throw new ServiceError('SERVICE_UNAVAILABLE', 'A sweep must name the address it takes from.')
    const { address, currencies, after = 0n } = sweep
    const { depository, sweepsOneCurrency = false } = this.#deps
    if (to.address !== depository || orderId !== address.orderId)
      return refused('revert', 'A sweep pays the depository under the order id of its address.')
    const asked = [...new Set([money.currency, ...(sweepsOneCurrency ? [] : currencies)])]
    const balances = await this.#deps.balances(asked.map((currency) => queryOf(address, currency)))
    if (balances.height < after)
      throw new ServiceError(
        'SERVICE_UNAVAILABLE',
        'A node of this chain is behind the last sweep of a deposit address.',
      )
    const main = spendableAt(balances, 0)
    if (main === null) throw new ServiceError('SERVICE_UNAVAILABLE', 'The balance of the deposit address is unknown.')
    return main === 0n ? refused('revert', NOTHING) : { ok: true, takes: heldOf(asked, balances) }
  }

  /** @throws ServiceError SERVICE_UNAVAILABLE without the seed, or if the seed does not give the address */
  signer(address: DepositAddress, seed: Uint8Array | undefined): Signer {
    return requireSweepKey(address.destination.address, seed, (from) => this.#deps.keys.keyOf(from, address))
  }

  async #holdings(addresses: readonly DepositAddress[], currencies: readonly string[]) {
    const held: (readonly ChainMoney[])[] = []
    for (let from = 0; from < addresses.length; from += ADDRESSES_AT_ONCE) {
      const part = addresses.slice(from, from + ADDRESSES_AT_ONCE)
      const queries = part.flatMap((address) => currencies.map((currency) => queryOf(address, currency)))
      const balances = await this.#deps.balances(queries)
      held.push(...part.map((_, at) => heldOf(currencies, balances, at * currencies.length)))
    }
    return held
  }
}

const NOTHING = 'The deposit address has no balance in this currency: it was swept before, or the payment never came.'

const queryOf = ({ destination }: DepositAddress, currency: string) => ({ address: destination.address, currency })

/** Balances of an address from a position of the answer on. An unknown balance is left out and swept later. */
const heldOf = (currencies: readonly string[], balances: Balances, from = 0): readonly ChainMoney[] =>
  currencies.flatMap((currency, at) => {
    const amount = spendableAt(balances, from + at) ?? 0n
    return amount > 0n ? [{ currency, amount }] : []
  })
