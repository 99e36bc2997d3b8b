import type { DepositAddresses } from '@causeway/core/chain'
import { addressPaymentStep } from '@causeway/core/chain-kit'
import { ZERO_ADDRESS } from '../address/addresses.js'
import { stepItem } from '../deposit/stepItem.js'
import type { UserDeps } from '../deposit/userSteps.js'
import { encodeTransfer } from '../payout/contracts/staticCall.js'
import { sweepBytes, sweepGas } from '../payout/fees/gasTable.js'
import { depositAddressOf } from './depositAddress.js'
import { readHoldings } from './holdings.js'

/** Addresses that a contract makes by CREATE2 and sweeps (wire.md E.4): no account has a key of them. */
export const evmDepositAddresses = (factory: string, { rpc, steps, fees }: Pick<UserDeps, 'rpc' | 'steps' | 'fees'>) =>
  ({
    forms: ['contract'],
    derive: (terms) => ({ destination: { address: depositAddressOf(terms, factory) }, derivation: { factory } }),
    buildPayment: async ({ from, to, money: { currency, amount } }) => {
      const call =
        currency === ZERO_ADDRESS
          ? ({ to: to.address, data: '0x', value: amount } as const)
          : { to: currency, data: encodeTransfer(to.address, amount) }
      return [addressPaymentStep(stepItem({ from, ...call }, await steps.context()))]
    },
    holdings: (addresses, currencies) => {
      const owners = addresses.map(({ destination }) => destination.address)
      return readHoldings(owners, currencies, rpc)
    },
    sweepFee: (currency) => fees.quote(sweepGas([currency]), sweepBytes(1)),
  }) satisfies DepositAddresses
