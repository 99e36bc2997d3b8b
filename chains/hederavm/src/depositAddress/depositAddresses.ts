import type { ChainAdapter, ChainConfig, DepositAddresses } from '@causeway/core/chain'
import {
  type ArrivalsIn,
  evmAddressOfKey,
  type HdKey,
  hdAccountOfSeed,
  hdKeySource,
  KeyedAddresses,
  readHdAccount,
} from '@causeway/core/chain-kit'
import { buildPaymentStep } from '../deposit/buildDeposit.js'
import type { PaymentFormDeps } from '../payout/paymentForm.js'
import type { HederaFees } from '../payout/payoutFees.js'
import type { MirrorNode } from '../rpc/mirrorNode.js'
import { addressArrivals } from './arrivals.js'
import { type SweepForms, sweepPayment } from './sweepForms.js'

/** BIP-44 with the coin type of EVM addresses (chains.md hederavm 8). */
const PATH = "m/44'/60'/0'"

/** Extended public key of the account of the deposit addresses, from the `hd` seed. */
export const depositKeyOf = (seed: Uint8Array): string => hdAccountOfSeed(seed, PATH).publicExtendedKey

/** @throws Error in plain words if the text is no such key, or a private one */
export const readDepositKey = (text: string): HdKey => readHdAccount(text, 'Hedera', [undefined])

export interface HederaAddressParts {
  readonly config: Pick<ChainConfig, 'id' | 'currencies'>
  readonly forms: PaymentFormDeps
  readonly fees: HederaFees
  readonly balances: ChainAdapter['getBalances']
}

export interface HederaAddresses {
  readonly addresses: DepositAddresses
  readonly arrivals: ArrivalsIn<MirrorNode>
  readonly sweeps: SweepForms
}

/**
 * EVM addresses with a key of the seed each: the first transfer to an address opens its account, and the first sweep, which its key signs,
 * completes the account. The solver pays the fee of a sweep.
 */
export const keyAddresses = (account: HdKey, parts: HederaAddressParts): HederaAddresses => {
  const { config, forms, fees, balances } = parts
  const keyed = new KeyedAddresses({
    keys: hdKeySource({ account, path: PATH, scheme: 'secp256k1', addressOf: evmAddressOfKey }),
    ...{ depository: forms.depository, balances, sweepsOneCurrency: true, opensByPayment: true },
    sweepFee: (currency) => fees.transferFee(currency),
    buildPayment: async ({ from, to, money }) => {
      const maxTransactionFee = await fees.transferLimit(money.currency, 'opening')
      return buildPaymentStep({ from, to: to.address, money, label: '', maxTransactionFee, chainId: config.id })
    },
  })
  return {
    addresses: keyed.addresses,
    arrivals: addressArrivals(),
    sweeps: {
      signer: (address, seed) => keyed.signer(address, seed),
      plan: async (payout) => {
        const plan = await keyed.plan(payout)
        return plan.ok ? sweepPayment(payout, plan.takes[0], forms) : plan
      },
    },
  }
}
