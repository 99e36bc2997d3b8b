import type { Findings } from './findings.js'
import { amountAt, integerAt, textAt, valueAt } from './quoteView.js'
import type { QuotedRequest } from './verifyOptions.js'

const NATIVE_IN_REQUESTS = `0x${'0'.repeat(40)}`
const EVM = 'evm'

/** The quote answers this request: a genuine quote of somebody else's would pass every other check. */
export const checkRequest = (quote: unknown, request: QuotedRequest, findings: Findings): void => {
  const side = (name: 'currencyIn' | 'currencyOut', chainId: number, currency: string): void => {
    const shown = valueAt(quote, `details.${name}`)
    findings.same(`details.${name}.currency.chainId`, integerAt(shown, 'currency.chainId'), chainId)
    // The zero address means the native currency on every VM (wire.md K.1 10).
    const meansNative = currency === NATIVE_IN_REQUESTS && valueAt(shown, 'currency.metadata.isNative') === true
    const found = textAt(shown, 'currency.address')
    if (!meansNative) same(`details.${name}.currency`, found, currency, textAt(shown, 'currency.vmType'))
  }
  const same = (what: string, found: string, expected: string, vmType: string): void => {
    if (vmType === EVM) findings.sameHex(what, found, expected)
    else findings.same(what, found, expected)
  }
  side('currencyIn', request.originChainId, request.originCurrency)
  side('currencyOut', request.destinationChainId, request.destinationCurrency)
  same(
    'details.sender',
    textAt(quote, 'details.sender'),
    request.user,
    textAt(quote, 'details.currencyIn.currency.vmType'),
  )
  const recipient = request.recipient ?? request.user
  const destinationVm = textAt(quote, 'details.currencyOut.currency.vmType')
  same('details.recipient', textAt(quote, 'details.recipient'), recipient, destinationVm)
  const named = request.tradeType === 'EXACT_INPUT' ? 'currencyIn' : 'currencyOut'
  findings.same(`details.${named}.amount`, amountAt(quote, `details.${named}.amount`).toString(), request.amount)
}
