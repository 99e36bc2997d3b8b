import type { AddressPool, ChainConfig, DepositAddress, DepositAddresses, FeeQuote } from '@causeway/core/chain'
import { type JsonRpcClient, SeedAddressPool } from '@causeway/core/chain-kit'
import { NATIVE } from '../address/addresses.js'
import type { FeeSource } from '../fees/feeSource.js'
import { priorityFee, SIGNATURE_LAMPORTS } from '../fees/networkFees.js'
import type { SvmSettings } from '../options.js'
import { sweepUnits } from '../payout/budget.js'
import type { AccountReader } from '../token/accountReader.js'
import type { MintReader } from '../token/mintReader.js'
import { associatedTokenAddress } from '../token/tokenAccounts.js'
import { SOLANA_KEYS } from './addressKeys.js'
import { readHoldings } from './holdings.js'
import { buildPayment } from './payment.js'

const FEE_VALID_MS = 5000
/** The address and the lane sign. */
const SIGNATURES = 2n

export interface SvmDepositAddressesDeps {
  readonly rpc: JsonRpcClient
  readonly accounts: AccountReader
  readonly mints: MintReader
  readonly fees: FeeSource
  readonly config: ChainConfig
  readonly settings: SvmSettings
}

/** Deposit addresses of a Solana chain: keys of the seed, made ahead, since nobody can derive them from public material. */
export class SvmDepositAddresses implements DepositAddresses {
  readonly forms = ['hd-key'] as const
  readonly isSweptByKey = true
  readonly pool: AddressPool
  readonly #deps: SvmDepositAddressesDeps

  /** @throws Error in plain words when `publicKey` is none */
  constructor(publicKey: string, deps: SvmDepositAddressesDeps) {
    const { config, settings } = deps
    this.#deps = deps
    // Two clusters may have one chain id, and one cluster two.
    const chain = [`chain ${config.id}`, `cluster ${settings.genesisHash}`]
    this.pool = new SeedAddressPool(SOLANA_KEYS, { chain, publicKey })
  }

  buildPayment(request: Parameters<DepositAddresses['buildPayment']>[0]) {
    return buildPayment(request, this.#deps)
  }

  holdings(addresses: readonly DepositAddress[], currencies: readonly string[]) {
    return readHoldings(addresses, currencies, this.#deps)
  }

  /** Before what comes back: the rent of a token account that is closed is more than all of it. */
  async sweepFee(currency: string): Promise<FeeQuote> {
    const { fees, config } = this.#deps
    const units = sweepUnits([currency])
    const [price, rent] = await Promise.all([fees.price([config.solver]), this.#missingRent(currency)])
    const amount = SIGNATURE_LAMPORTS * SIGNATURES + priorityFee(units, price) + rent
    return { network: { currency: NATIVE, amount }, validForMs: FEE_VALID_MS }
  }

  async #missingRent(currency: string): Promise<bigint> {
    const { accounts, mints, fees, settings } = this.#deps
    const mint = currency === NATIVE ? null : await mints.read(currency)
    if (mint === null) return 0n
    const [account] = await accounts.read([associatedTokenAddress(settings.depository, mint)])
    return account === null ? fees.rent(mint.tokenAccountBytes) : 0n
  }
}
