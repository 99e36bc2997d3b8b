import { isPlainDestination, parseDestination } from '../chain/destination.js'
import type { Hex } from '../money/hex.js'
import type { AddressCodecs } from '../order/encoding/vmCodecs.js'
import { hashOrder } from '../order/hashOrder.js'
import { bytesToHex } from '../order/hexBytes.js'
import type { Order } from '../order/order.js'
import { decodeOrderCall, type OrderCall } from '../order/orderCall.js'
import { portableKeccak256 } from '../order/portableKeccak.js'
import { recoverSigner } from '../order/recoverSigner.js'
import { leftByCalls } from '../quote/spentByCalls.js'
import type { Findings } from './findings.js'
import type { QuoteChains } from './quoteChains.js'
import { amountAt, integerAt, listAt, textAt, valueAt } from './quoteView.js'
import type { KnownChain, VerifyOptions } from './verifyOptions.js'

export interface OrderCheck {
  readonly quote: unknown
  readonly chains: QuoteChains
  /** Of VMs beyond the nine. */
  readonly codecs: AddressCodecs
  readonly options: VerifyOptions
  readonly findings: Findings
}

/** The order that a quote is for: its id is that of its data, the solver signed it, and it says what the quote shows. */
export const checkOrder = (check: OrderCheck): { readonly orderId: Hex; readonly solver: string } => {
  const { quote, findings } = check
  const orderId = textAt(quote, 'protocol.v2.orderId')
  const computed = findings.attempt(() => orderIdOf(check))
  if (computed !== null) findings.same('protocol.v2.orderId', orderId, computed)
  findings.attempt(() => checkSigner(check, orderId))
  findings.attempt(() => checkPayment(check))
  findings.attempt(() => checkOutput(check))
  findings.attempt(() => checkChains(check))
  // CAST: used only where no problem was found, and then it equals the computed one.
  return { orderId: orderId as Hex, solver: textAt(quote, 'protocol.v2.orderData.solver').toLowerCase() }
}

const orderIdOf = ({ quote, chains: { vmTypeBySlug }, codecs }: OrderCheck): Hex => {
  // CAST: hashing refuses what is not an order; a form that it does not even refuse throws TypeError.
  const order = valueAt(quote, 'protocol.v2.orderData') as Order
  return bytesToHex(hashOrder(order, { vmTypeBySlug, codecs, keccak256: portableKeccak256 }))
}

const checkSigner = ({ quote, options, findings }: OrderCheck, orderId: string): void => {
  const solver = textAt(quote, 'protocol.v2.orderData.solver')
  if (options.solver === undefined)
    findings.notCovered.push(`that ${solver} is the solver's order key (options.solver)`)
  else findings.sameHex('orderData.solver', solver, options.solver)
  const signer = recoverSigner(orderId, textAt(quote, 'protocol.v2.orderSignature'), portableKeccak256)
  findings.sameHex('The signer of orderSignature', signer, solver)
}

const checkPayment = ({ quote, chains, findings }: OrderCheck): void => {
  findings.same('The number of orderData.inputs', listAt(quote, 'protocol.v2.orderData.inputs').length, 1)
  const input = valueAt(quote, 'protocol.v2.orderData.inputs.0.payment')
  const paid = valueAt(quote, 'protocol.v2.paymentDetails')
  const slug = textAt(input, 'chainId')
  findings.same('paymentDetails.chainId', textAt(paid, 'chainId'), slug)
  findings.same('paymentDetails.amount', amountAt(paid, 'amount'), amountAt(input, 'amount'))
  const same = (left: string, right: string) => chains.sameAddress(slug, left, right)
  findings.require(
    same(textAt(paid, 'currency'), textAt(input, 'currency')),
    'paymentDetails.currency is not the currency of orderData.inputs',
  )
  // What the user has becomes what is deposited by a swap, or is it.
  const shown = same(textAt(paid, 'currency'), textAt(quote, 'details.currencyIn.currency.address'))
    ? 'details.currencyIn'
    : 'details.route.origin.outputCurrency'
  findings.require(
    same(textAt(paid, 'currency'), textAt(quote, `${shown}.currency.address`)),
    `paymentDetails.currency is not that of ${shown}`,
  )
  findings.same('paymentDetails.amount', amountAt(paid, 'amount'), amountAt(quote, `${shown}.amount`))
}

const checkOutput = ({ quote, chains, options, findings }: OrderCheck): void => {
  const output = valueAt(quote, 'protocol.v2.orderData.output')
  const out = valueAt(quote, 'details.currencyOut')
  findings.same('The number of orderData.output.payments', listAt(output, 'payments').length, 1)
  const same = (left: string, right: string) => chains.sameAddress(textAt(output, 'chainId'), left, right)
  const recipient = parseDestination(textAt(quote, 'details.recipient'))
  findings.require(
    same(textAt(output, 'payments.0.recipient'), recipient.address),
    'The order pays another than the recipient',
  )
  if (!isPlainDestination(recipient)) {
    findings.notCovered.push('that the order names the tag or memo of the recipient (orderData.output.extraData)')
  }
  findings.require(
    same(textAt(output, 'payments.0.currency'), textAt(out, 'currency.address')),
    'The order pays another currency than details.currencyOut',
  )
  // The order pays the calls too; what they spend of it is not shown as the recipient's.
  const calls = orderedCalls(quote)
  const left = (path: string): bigint => leftByCalls(amountAt(output, path), calls)
  findings.same('details.currencyOut.minimumAmount', amountAt(out, 'minimumAmount'), left('payments.0.minimumAmount'))
  findings.same('details.currencyOut.amount', amountAt(out, 'amount'), left('payments.0.expectedAmount'))
  if (listAt(output, 'calls').length > 0) {
    findings.notCovered.push('that the calls of the order are those asked for (orderData.output.calls)')
  }
  if (valueAt(quote, 'details.currencyGasTopup') !== undefined) {
    findings.notCovered.push('the gas top-up: it comes with the fill, and no order promises it')
  }
  const refundTo = options.request?.refundTo
  if (refundTo === undefined) return
  for (const refund of listAt(quote, 'protocol.v2.orderData.inputs.0.refunds')) {
    findings.require(
      chains.sameAddress(textAt(refund, 'chainId'), textAt(refund, 'recipient'), parseDestination(refundTo).address),
      'A refund goes to another address than refundTo',
    )
  }
}

/** The calls that the order binds; none where the user moves the value alone. @throws OrderEncodingError, UnreadableQuoteError */
export const orderedCalls = (quote: unknown): readonly OrderCall[] =>
  valueAt(quote, 'protocol.v2.orderData.output.calls') === undefined
    ? []
    : listAt(quote, 'protocol.v2.orderData.output.calls').map((call) => decodeOrderCall(String(call)))

/** Slugs, numbers, VMs and depository against the list of chains, where there is one. */
const checkChains = ({ quote, chains, options, findings }: OrderCheck): void => {
  const paid = valueAt(quote, 'protocol.v2.paymentDetails')
  const [slug, depository] = [textAt(paid, 'chainId'), textAt(paid, 'depository')]
  if (options.chains === undefined) {
    findings.notCovered.push(`that ${depository} is the depository of ${slug} (options.chains)`)
    return
  }
  const entryOf = (name: string) => {
    const entry = options.chains?.find(({ protocol }) => protocol.v2.chainId === name)
    findings.require(entry !== undefined, `The chain ${name.slice(0, 64)} is not among options.chains`)
    return entry
  }
  const origin = entryOf(slug)
  const destination = entryOf(textAt(quote, 'protocol.v2.orderData.output.chainId'))
  const compare = (side: string, { id, vmType }: KnownChain): void => {
    const currency = valueAt(quote, `details.${side}.currency`)
    findings.same(`details.${side}.currency.chainId`, integerAt(currency, 'chainId'), id)
    findings.same(`details.${side}.currency.vmType`, textAt(currency, 'vmType'), vmType)
  }
  if (destination !== undefined) compare('currencyOut', destination)
  if (origin === undefined) return
  compare('currencyIn', origin)
  const known = origin.protocol.v2.depository
  findings.require(
    known !== null && chains.sameAddress(slug, depository, known),
    `paymentDetails.depository is not that of ${slug}`,
  )
}
