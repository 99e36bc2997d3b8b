import type {
  ChainAdapter,
  ChainConfig,
  DepositAddress,
  DepositAddresses,
  Payout,
  Signer,
  SimulationFailure,
} from '@causeway/core/chain'
import {
  type ArrivalsIn,
  askInOrder,
  askSideBySide,
  KeyedAddresses,
  type PayingAccountsDeps,
  type SeedTree,
  type SequenceSlot,
  seedKeySource,
  seedPoolKey,
} from '@causeway/core/chain-kit'
import { NATIVE } from '../address/addresses.js'
import { addressOfKey } from '../address/wallets.js'
import { buildDepositStep } from '../deposit/buildDeposit.js'
import type { DepositSource } from '../deposit/depositSource.js'
import { type PaymentForm, type PaymentFormDeps, sweepForm } from '../payout/paymentForm.js'
import type { TonFees } from '../payout/payoutFees.js'
import type { TonNode } from '../rpc/tonApi.js'
import { addressArrivals } from './arrivals.js'
import { readCredits } from './credits.js'

/** Purpose, TON, account and change of BIP-44; the indexes of an address follow (chains.md tonvm 8). */
export const depositKeys = (networkId: number): SeedTree => ({
  ...{ root: [44, 607, 0, 0], witness: [44, 607, 0, 1] },
  addressOf: (publicKey) => addressOfKey(publicKey, networkId),
})

/** The public key that signs for the addresses of a seed: the option `depositPoolKey`. */
export const poolKeyOf = (seed: Uint8Array, networkId: number): string => seedPoolKey(depositKeys(networkId), seed)

export interface TonAddressParts {
  readonly config: Pick<ChainConfig, 'id' | 'solver'>
  readonly networkId: number
  readonly depository: string
  readonly forms: PaymentFormDeps
  readonly fees: TonFees
  readonly balances: ChainAdapter['getBalances']
  readonly source: DepositSource
}

/** Sweeps of deposit addresses: of wallets with a key each, whose requests the solver carries, or of comments of one wallet. */
export interface SweepForms {
  /** Returns the payment that a sweep would make now, or why it would move no money. */
  plan(payout: Payout): Promise<{ readonly ok: true; readonly payment: PaymentForm } | SimulationFailure>
  /** A sweep got its number; absent where balances alone tell what an address holds. */
  readonly begun?: (payout: Payout, slot: SequenceSlot) => void
  /** The one wallet that all addresses share; null: each has its own. */
  readonly shared: PayingAccountsDeps['deposits']
  /** Key of an address of its own. @throws ServiceError without the seed, or if the seed does not give the address */
  signer(address: DepositAddress, seed: Uint8Array | undefined): Signer
}

export interface TonAddresses {
  readonly addresses: DepositAddresses
  readonly arrivals: ArrivalsIn<TonNode>
  readonly sweeps: SweepForms
}

/**
 * Wallets v5r1 with a key of the seed each. The solver sends a wallet the request that its key signed, with the nanotons for its fees, so that
 * an address without TON is swept too; the first such message brings the wallet's code.
 */
export const keyAddresses = (publicKey: string, parts: TonAddressParts): TonAddresses => {
  const { config, networkId, depository, forms, fees, source } = parts
  const chain = [`chain ${config.id}`, `network ${networkId}`]
  const keyed = new KeyedAddresses({
    keys: seedKeySource(depositKeys(networkId), { chain, publicKey }),
    ...{ depository, balances: creditedBalances(parts), sweepsOneCurrency: true },
    sweepFee: (currency) => fees.sweepFee(currency),
    buildPayment: ({ from, to, money }) =>
      buildDepositStep({ from, depository: to.address, money, orderId: '' }, forms),
  })
  return {
    addresses: keyed.addresses,
    arrivals: addressArrivals(source),
    sweeps: {
      shared: null,
      signer: (address, seed) => keyed.signer(address, seed),
      plan: async (payout) => {
        const plan = await keyed.plan(payout)
        return plan.ok
          ? { ok: true, payment: await sweepForm(payout, plan.takes[0], { ...forms, depository, fees }) }
          : plan
      },
    },
  }
}

/** Balances of addresses, of TON by what users paid them (`readCredits`). */
const creditedBalances = ({ balances, forms: { pool } }: TonAddressParts): ChainAdapter['getBalances'] => {
  const creditsOf = (address: string, height: bigint) => askInOrder(pool, (node) => readCredits(node, address, height))
  return async (queries) => {
    const found = await balances(queries)
    const amounts = await askSideBySide(
      found.amounts.map((amount, at) => ({ amount, query: queries[at] })),
      async ({ amount, query }) =>
        query?.currency === NATIVE && amount !== null && amount > 0n ? creditsOf(query.address, found.height) : amount,
      { signal: undefined },
    )
    return { ...found, amounts }
  }
}
