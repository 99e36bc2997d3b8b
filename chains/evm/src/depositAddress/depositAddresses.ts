import type {
  ChainMoney,
  DepositAddress,
  DepositAddresses,
  DepositAddressTerms,
  FeeQuote,
  StepItemDraft,
} from '@causeway/core/chain'
import type { JsonRpcClient } from '@causeway/core/chain-kit'
import { ZERO_ADDRESS } from '../address/addresses.js'
import { stepItem } from '../deposit/stepItem.js'
import type { UserSteps } from '../deposit/userSteps.js'
import { encodeTransfer } from '../payout/contracts/staticCall.js'
import { sweepBytes, sweepGas } from '../payout/fees/gasTable.js'
import type { PayoutFees } from '../payout/payoutFees.js'
import { depositAddressOf } from './depositAddress.js'
import { readHoldings } from './holdings.js'

export interface EvmDepositAddressesDeps {
  readonly factory: string
  readonly rpc: JsonRpcClient
  readonly steps: UserSteps
  readonly fees: PayoutFees
}

/** Addresses that a contract makes by CREATE2 and sweeps (wire.md E.4): nobody holds a key of them. */
export class EvmDepositAddresses implements DepositAddresses {
  readonly forms = ['contract'] as const
  readonly #deps: EvmDepositAddressesDeps

  constructor(deps: EvmDepositAddressesDeps) {
    this.#deps = deps
  }

  derive(terms: DepositAddressTerms) {
    const { factory } = this.#deps
    return { destination: { address: depositAddressOf(terms, factory) }, derivation: { factory } }
  }

  async buildPayment({ from, to, money }: Parameters<DepositAddresses['buildPayment']>[0]): Promise<[StepItemDraft]> {
    const { currency, amount } = money
    const call =
      currency === ZERO_ADDRESS
        ? ({ to: to.address, data: '0x', value: amount } as const)
        : { to: currency, data: encodeTransfer(to.address, amount) }
    return [
      {
        stepId: 'deposit',
        kind: 'transaction',
        action: 'Confirm transaction in your wallet',
        description: 'Sends the funds to the deposit address',
        data: stepItem({ from, ...call }, await this.#deps.steps.context()),
      },
    ]
  }

  holdings(
    addresses: readonly DepositAddress[],
    currencies: readonly string[],
  ): Promise<readonly (readonly ChainMoney[])[]> {
    const owners = addresses.map(({ destination }) => destination.address)
    return readHoldings(owners, currencies, this.#deps.rpc)
  }

  sweepFee(currency: string): Promise<FeeQuote> {
    return this.#deps.fees.quote(sweepGas([currency]), sweepBytes(1))
  }
}
