import { ServiceError } from '@causeway/core'
import type {
  ChainAdapter,
  DepositAddress,
  DepositAddresses,
  Payout,
  Signer,
  SimulationFailure,
  StepItemDraft,
} from '@causeway/core/chain'
import {
  type ArrivalsIn,
  evmAddressOfKey,
  type HdKey,
  hdAccountOfSeed,
  hdKeySource,
  KeyedAddresses,
  readHdAccount,
} from '@causeway/core/chain-kit'
import type { PaymentForm } from '../payout/paymentForm.js'
import { type PaymentFormDeps, sweepForm } from '../payout/paymentForm.js'
import type { HypeFees } from '../payout/payoutFees.js'
import type { ExchangeNode } from '../rpc/exchangeNode.js'
import { addressArrivals } from './arrivals.js'

/** BIP-44 with the coin type of EVM addresses (chains.md hypevm 8). */
const PATH = "m/44'/60'/0'"

/** Extended public key of the account of the deposit addresses, from the `hd` seed. */
export const depositKeyOf = (seed: Uint8Array): string => hdAccountOfSeed(seed, PATH).publicExtendedKey

/** @throws Error in plain words if the text is no such key, or a private one */
export const readDepositKey = (text: string): HdKey => readHdAccount(text, 'Hyperliquid', [undefined])

/** Sweeps as the lane and the simulator need them. */
export interface SweepForms {
  plan(payout: Payout): Promise<{ readonly ok: true; readonly payment: PaymentForm } | SimulationFailure>
  signer(address: DepositAddress, seed: Uint8Array | undefined): Signer
}

export interface HypeAddressParts {
  readonly forms: PaymentFormDeps
  readonly spotUsdc: string
  readonly fees: HypeFees
  readonly balances: ChainAdapter['getBalances']
  /** The step of a plain payment to an address. */
  buildPayment(request: Parameters<DepositAddresses['buildPayment']>[0]): Promise<readonly StepItemDraft[]>
}

export interface HypeAddresses {
  readonly addresses: DepositAddresses
  readonly arrivals: ArrivalsIn<ExchangeNode>
  readonly sweeps: SweepForms
}

/**
 * Accounts with a key of the seed each. The first transfer to one opens it at the sender's cost, and a sweep, which its key signs, costs nothing
 * (chains.md hypevm 8).
 */
export const keyAddresses = (account: HdKey, parts: HypeAddressParts): HypeAddresses => {
  const { forms, fees, balances, buildPayment, spotUsdc } = parts
  const keyed = new KeyedAddresses({
    keys: hdKeySource({ account, path: PATH, scheme: 'secp256k1', addressOf: evmAddressOfKey }),
    ...{ depository: forms.depository, balances, sweepsOneCurrency: true, opensByPayment: true },
    sweepFee: () => fees.transferFee(),
    buildPayment,
  })
  return {
    addresses: keyed.addresses,
    arrivals: addressArrivals(forms.assets, spotUsdc),
    sweeps: {
      plan: async (payout) => {
        const plan = await keyed.plan(payout)
        if (!plan.ok) return plan
        const [money] = plan.takes
        if (payout.sweep === undefined || money === undefined)
          return { ok: false, kind: 'revert', message: 'The sweep moves no money.' }
        return { ok: true, payment: await sweepForm(money, payout.sweep.address, forms) }
      },
      signer: (address, seed) => keyed.signer(address, seed),
    },
  }
}

/** @throws ServiceError where the chain has no deposit addresses */
export const requireSweeps = (sweeps: SweepForms | null): SweepForms => {
  if (sweeps !== null) return sweeps
  throw new ServiceError('SERVICE_UNAVAILABLE', 'This chain has no deposit addresses.')
}
