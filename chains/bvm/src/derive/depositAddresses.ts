import type { DepositAddresses } from '@causeway/core/chain'
import { type HdKey, saltOfTerms } from '@causeway/core/chain-kit'
import { NATIVE } from '../address/addresses.js'
import { watchedAddress } from '../balances.js'
import { type BuildDepositDeps, buildPsbtStep } from '../deposit/buildDeposit.js'
import { sweepFeeQuote } from '../fees/feeQuotes.js'
import { deriveDepositAddress } from './depositAddress.js'

export interface DepositAddressesDeps extends BuildDepositDeps {
  /** The account's public side. */
  readonly account: HdKey
  readonly creditSweeps: boolean
}

/** Deposit addresses of an account's extended public key (chains.md bvm 8, wire.md E.1); only the lane, at signing, needs the seed. */
export const bvmDepositAddresses = (deps: DepositAddressesDeps): DepositAddresses => {
  const { account, network, pool, fees } = deps
  return {
    forms: ['hd-key'],
    isSweptByKey: true,
    derive: (terms) => {
      const { address, path } = deriveDepositAddress(account, saltOfTerms(terms), network)
      return { destination: { address }, derivation: { path } }
    },
    buildPayment: ({ to, ...request }) => buildPsbtStep({ ...request, to: to.address, orderId: null }, deps),
    holdings: async (addresses, currencies) => {
      const watched = addresses.map(({ destination }) => watchedAddress(destination.address, network))
      const amounts = await pool.ask((source) => source.balances(watched))
      return amounts.map((amount) =>
        currencies.flatMap((currency) => (currency === NATIVE && amount > 0n ? [{ currency, amount }] : [])),
      )
    },
    sweepFee: async () => sweepFeeQuote(await fees.rate(), deps),
  }
}
