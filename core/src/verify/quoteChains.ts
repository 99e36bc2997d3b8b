import { PROTOCOL_VM_TYPES } from '../chain/vmType.js'
import { addressCodecOf } from '../order/encoding/vmCodecs.js'
import { bytesToHex } from '../order/hexBytes.js'
import { OrderEncodingError } from '../order/orderEncodingError.js'
import { textAt, valueAt } from './quoteView.js'
import type { VerifyOptions } from './verifyOptions.js'

/** The chains of a quote and how their addresses are compared. */
export class QuoteChains {
  /** Protocol VM name by slug, for the order id. */
  readonly vmTypeBySlug: Readonly<Record<string, string>>
  readonly #options: VerifyOptions

  constructor(quote: unknown, options: VerifyOptions) {
    this.#options = options
    this.vmTypeBySlug = { ...vmTypesOfQuote(quote), ...vmTypesOfList(options) }
  }

  /** Whether both texts are one account or currency of a VM. Texts that are none differ from everything. */
  sameAddress(slug: string, left: string, right: string): boolean {
    const bytes = this.#bytes(slug, left)
    return bytes !== null && bytes === this.#bytes(slug, right)
  }

  #bytes(slug: string, text: string): string | null {
    const vmType = Object.hasOwn(this.vmTypeBySlug, slug) ? this.vmTypeBySlug[slug] : undefined
    if (vmType === undefined) return null
    try {
      return bytesToHex(addressCodecOf(vmType, this.#options.codecs).encode(text))
    } catch (error) {
      if (error instanceof OrderEncodingError) return null
      throw error
    }
  }
}

const protocolVmType = (vmType: string): string =>
  Object.hasOwn(PROTOCOL_VM_TYPES, vmType) ? (PROTOCOL_VM_TYPES[vmType] ?? vmType) : vmType

/** What the quote itself says of its chains; a wrong word gives another order id, or none. */
const vmTypesOfQuote = (quote: unknown): Record<string, string> => {
  const order = valueAt(quote, 'protocol.v2.orderData')
  return {
    // Only its name enters the order id: a solver is an EVM address on every chain.
    [textAt(order, 'solverChainId')]: 'ethereum-vm',
    [textAt(order, 'output.chainId')]: protocolVmType(textAt(quote, 'details.currencyOut.currency.vmType')),
    [textAt(quote, 'protocol.v2.paymentDetails.chainId')]: protocolVmType(
      textAt(quote, 'details.currencyIn.currency.vmType'),
    ),
  }
}

const vmTypesOfList = ({ chains = [] }: VerifyOptions): Record<string, string> =>
  Object.fromEntries(
    chains.flatMap(({ vmType, protocol }) =>
      protocol.v2.chainId === null ? [] : [[protocol.v2.chainId, protocolVmType(vmType)]],
    ),
  )
