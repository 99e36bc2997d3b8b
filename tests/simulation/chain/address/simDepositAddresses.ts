import type {
  ChainMoney,
  DepositAddress,
  DepositAddresses,
  DepositAddressTerms,
  FeeQuote,
  StepItemDraft,
} from '@causeway/core/chain'
import type { LedgerNode } from '../../../adapter/ledgerChain/src/ledgerNode.js'
import { addressOfTerms } from './simSweep.js'

export interface SimDepositAddressesDeps {
  readonly node: LedgerNode
  feeQuote(): Promise<FeeQuote>
}

/** Addresses of a simulated ledger: contracts, of which whoever knows their terms has the depository paid. */
export class SimDepositAddresses implements DepositAddresses {
  readonly forms = ['contract'] as const
  readonly #deps: SimDepositAddressesDeps

  constructor(deps: SimDepositAddressesDeps) {
    this.#deps = deps
  }

  derive(terms: DepositAddressTerms) {
    return { destination: { address: addressOfTerms(terms) }, derivation: null }
  }

  async buildPayment({ from, to, money }: Parameters<DepositAddresses['buildPayment']>[0]): Promise<[StepItemDraft]> {
    const { currency, amount } = money
    return [
      {
        stepId: 'deposit',
        kind: 'transaction',
        action: 'Confirm transaction in your wallet',
        description: 'Pays the funds to the deposit address',
        data: { from, to: to.address, currency, amount: amount.toString(), memo: '' },
      },
    ]
  }

  async holdings(
    addresses: readonly DepositAddress[],
    currencies: readonly string[],
  ): Promise<readonly (readonly ChainMoney[])[]> {
    const queries = addresses.flatMap(({ destination: { address } }) =>
      currencies.map((currency) => ({ address, currency })),
    )
    const { node } = this.#deps
    const { amounts } = await node.balances(queries, node.rpc)
    return addresses.map((_, at) =>
      currencies.flatMap((currency, place) => {
        const amount = amounts[at * currencies.length + place] ?? 0n
        return amount > 0n ? [{ currency, amount }] : []
      }),
    )
  }

  sweepFee(): Promise<FeeQuote> {
    return this.#deps.feeQuote()
  }
}
