import type { ChainAdapter, DepositAddresses } from '@causeway/core/chain'
import { type HdKey, hdAccountOfSeed, hdKeySource, KeyedAddresses, readHdAccount } from '@causeway/core/chain-kit'
import { addressOfKey } from '../address/keyAddress.js'
import { buildAddressPayment } from '../deposit/buildDeposit.js'
import type { TronFees } from '../payout/payoutFees.js'
import { type SweepForms, sweepForm } from './sweepForms.js'

/** BIP-44 with the coin type of Tron (chains.md tvm 8). */
const PATH = "m/44'/195'/0'"

/** Extended public key of the account of the deposit addresses, from the `hd` seed. */
export const depositKeyOf = (seed: Uint8Array): string => hdAccountOfSeed(seed, PATH).publicExtendedKey

/** @throws Error in plain words if the text is no such key, or a private one */
export const readDepositKey = (text: string): HdKey => readHdAccount(text, 'Tron', [undefined])

export interface TronAddressParts {
  readonly chainId: number
  readonly depository: string
  readonly fees: TronFees
  readonly balances: ChainAdapter['getBalances']
}

/**
 * Addresses with a key of the seed each. A sweep is a transaction of the address, for which the solver sends it TRX before: accounts of Tron
 * pay their own fees.
 */
export const tronAddresses = (
  account: HdKey,
  { chainId, depository, fees, balances }: TronAddressParts,
): { readonly addresses: DepositAddresses; readonly sweeps: SweepForms } => {
  const keyed = new KeyedAddresses({
    keys: hdKeySource({ account, path: PATH, scheme: 'secp256k1', addressOf: addressOfKey }),
    ...{ depository, balances, sweepsOneCurrency: true },
    sweepFee: (currency) => fees.sweepFee(currency),
    buildPayment: async ({ from, to, money }) => [buildAddressPayment({ from, to: to.address, money, chainId })],
  })
  return {
    addresses: keyed.addresses,
    sweeps: {
      signer: (address, seed) => keyed.signer(address, seed),
      plan: async (payout) => {
        const plan = await keyed.plan(payout)
        if (!plan.ok) return plan
        const [money] = plan.takes
        if (money === undefined || payout.sweep === undefined)
          return { ok: false, kind: 'revert', message: 'The sweep moves no money.' }
        return { ok: true, form: sweepForm({ address: payout.sweep.address, money }, depository) }
      },
    },
  }
}
