import { SOLVER_VM_TYPE } from '../order/solverVmType.js'
import { textAt, valueAt } from './quoteView.js'
import type { KnownChain } from './verifyOptions.js'
import type { VmAddresses } from './vmAddresses.js'

/** The chains of a quote and how their addresses are compared. */
export class QuoteChains {
  /** Protocol VM name by slug, for the order id. */
  readonly vmTypeBySlug: Readonly<Record<string, string>>
  readonly #addresses: VmAddresses

  constructor(quote: unknown, addresses: VmAddresses, known: readonly KnownChain[] = []) {
    this.#addresses = addresses
    this.vmTypeBySlug = { ...vmTypesOfQuote(quote, addresses), ...vmTypesOfList(known, addresses) }
  }

  /** Whether both texts are one account or currency of a VM. Texts that are none differ from everything. */
  sameAddress(slug: string, left: string, right: string): boolean {
    const vmType = Object.hasOwn(this.vmTypeBySlug, slug) ? this.vmTypeBySlug[slug] : undefined
    return vmType !== undefined && this.#addresses.isSame(vmType, left, right)
  }
}

/** What the quote itself says of its chains; a wrong word gives another order id, or none. */
const vmTypesOfQuote = (quote: unknown, addresses: VmAddresses): Record<string, string> => {
  const order = valueAt(quote, 'protocol.v2.orderData')
  const vmTypeOf = (side: string) => addresses.protocolVmType(textAt(quote, `details.${side}.currency.vmType`))
  return {
    // Only its name enters the order id: a solver is an EVM address on every chain.
    [textAt(order, 'solverChainId')]: SOLVER_VM_TYPE,
    [textAt(order, 'output.chainId')]: vmTypeOf('currencyOut'),
    [textAt(quote, 'protocol.v2.paymentDetails.chainId')]: vmTypeOf('currencyIn'),
  }
}

const vmTypesOfList = (chains: readonly KnownChain[], addresses: VmAddresses): Record<string, string> =>
  Object.fromEntries(
    chains.flatMap(({ vmType, protocol }) =>
      protocol.v2.chainId === null ? [] : [[protocol.v2.chainId, addresses.protocolVmType(vmType)]],
    ),
  )
