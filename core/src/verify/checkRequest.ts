import { parseDestination } from '../chain/destination.js'
import { spentByCalls } from '../quote/spentByCalls.js'
import { orderedCalls } from './checkOrder.js'
import type { Findings } from './findings.js'
import { amountAt, integerAt, textAt, valueAt } from './quoteView.js'
import type { QuotedRequest } from './verifyOptions.js'
import type { VmAddresses } from './vmAddresses.js'

const NATIVE_IN_REQUESTS = `0x${'0'.repeat(40)}`

export interface RequestCheck {
  readonly request: QuotedRequest
  readonly addresses: VmAddresses
  readonly findings: Findings
}

/** The quote answers this request: a genuine quote of somebody else's would pass every other check. */
export const checkRequest = (quote: unknown, { request, addresses, findings }: RequestCheck): void => {
  const vmTypeOf = (side: string) => textAt(quote, `details.${side}.currency.vmType`)
  const side = (name: 'currencyIn' | 'currencyOut', chainId: number, currency: string): void => {
    const shown = valueAt(quote, `details.${name}`)
    findings.same(`details.${name}.currency.chainId`, integerAt(shown, 'currency.chainId'), chainId)
    // The zero address means the native currency on every VM (wire.md K.1 10).
    const meansNative = currency === NATIVE_IN_REQUESTS && valueAt(shown, 'currency.metadata.isNative') === true
    const found = textAt(shown, 'currency.address')
    if (!meansNative) same(`details.${name}.currency`, { found, expected: currency, vmType: vmTypeOf(name) })
  }
  const same = (what: string, { found, expected, vmType }: Record<'found' | 'expected' | 'vmType', string>): void => {
    if (!addresses.isSame(addresses.protocolVmType(vmType), found, expected)) findings.same(what, found, expected)
  }
  side('currencyIn', request.originChainId, request.originCurrency)
  side('currencyOut', request.destinationChainId, request.destinationCurrency)
  const [sender, recipient] = [textAt(quote, 'details.sender'), textAt(quote, 'details.recipient')]
  // A refund goes back to the tag or memo behind it, the deposit does not come from there.
  same('details.sender', {
    found: sender,
    expected: parseDestination(request.user).address,
    vmType: vmTypeOf('currencyIn'),
  })
  const expected = request.recipient ?? request.user
  same('details.recipient', { found: recipient, expected, vmType: vmTypeOf('currencyOut') })
  const exactInput = request.tradeType === 'EXACT_INPUT'
  const named = exactInput ? 'currencyIn' : 'currencyOut'
  // The output that is asked for is the whole one; what the calls of the order spend of it is not shown.
  const spent = exactInput ? 0n : spentByCalls(orderedCalls(quote))
  findings.same(
    `details.${named}.amount`,
    (amountAt(quote, `details.${named}.amount`) + spent).toString(),
    request.amount,
  )
}
