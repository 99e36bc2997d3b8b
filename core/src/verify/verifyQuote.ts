import type { Hex } from '../money/hex.js'
import { checkOrder } from './checkOrder.js'
import { checkRequest } from './checkRequest.js'
import { MAPPING_STEP, type QuoteSteps, readSteps } from './checkSteps.js'
import type { DepositFacts } from './depositFacts.js'
import { Findings } from './findings.js'
import { QuoteChains } from './quoteChains.js'
import { integerAt, textAt, UnreadableQuoteError, valueAt } from './quoteView.js'
import { readDepositFacts } from './readDepositFacts.js'
import type { VerifiableVm } from './verifiableVm.js'
import type { VerifyOptions } from './verifyOptions.js'
import { VmAddresses } from './vmAddresses.js'

/** Nothing speaks against the quote. */
export interface VerifiedQuote {
  readonly ok: true
  /** Whether the transaction to sign commits to the signed order; a deposit address or a transfer without solver cannot. */
  readonly covered: boolean
  /** Null where the user moves the value alone. */
  readonly orderId: Hex | null
  /** Address of the key that signed the order, lower case. */
  readonly solver: string | null
  /** What these checks could not tell, in words, with the option that would help. */
  readonly notCovered: readonly string[]
}

/** Do not pay: the quote contradicts itself, the order or what was asked for. */
export interface RefusedQuote {
  readonly ok: false
  readonly problems: readonly string[]
}

export type QuoteVerdict = VerifiedQuote | RefusedQuote

/**
 * Checks the answer of `POST /quote`, asked for with `includeProtocolData`, before its steps are signed: the order id is that
 * of the order, the solver signed it, and the deposit commits to it with amount, currency, depository, recipient and minimum
 * as shown (wire.md 1.1 5, 1.7; chains.md "What commits a deposit"). Needs neither network nor Node.
 * Never throws for what stands in the quote.
 */
export const verifyQuote = (quote: unknown, options: VerifyOptions): QuoteVerdict => {
  const findings = new Findings()
  const verified = findings.attempt(() => verify(quote, options, findings))
  const { problems, notCovered } = findings
  return problems.length > 0 || verified === null ? { ok: false, problems } : { ok: true, ...verified, notCovered }
}

const verify = (
  quote: unknown,
  options: VerifyOptions,
  findings: Findings,
): Pick<VerifiedQuote, 'covered' | 'orderId' | 'solver'> => {
  const steps = readSteps(quote, findings)
  const { request } = options
  const addresses = new VmAddresses(options.vms)
  if (request !== undefined) findings.attempt(() => checkRequest(quote, { request, addresses, findings }))
  else findings.notCovered.push('that this is the answer to what was asked for (options.request)')
  if (hasNoOrder(quote)) return checkDirect(quote, steps, findings)
  if (valueAt(quote, 'protocol.v2.orderData') === undefined) {
    throw new UnreadableQuoteError('protocol.v2.orderData is missing: ask with includeProtocolData')
  }
  const chains = new QuoteChains(quote, addresses, options.chains)
  const order = checkOrder({ quote, chains, codecs: addresses.codecs, options, findings })
  if (steps.transactions.some(({ depositAddress }) => depositAddress !== '')) {
    findings.require(request === undefined || request.useDepositAddress === true, 'The quote names a deposit address')
    findings.notCovered.push('that the deposit address belongs to the order')
    return { covered: false, ...order }
  }
  const facts = readDepositFacts(quote, { orderId: order.orderId, chains, options, findings })
  const vmType = chains.vmTypeBySlug[facts.slug]
  const vm = options.vms.find(({ protocolVmType }) => protocolVmType === vmType)
  if (vm === undefined) throw new UnreadableQuoteError(`Deposits on ${String(vmType)} cannot be checked (options.vms)`)
  checkDeposit(quote, steps, { vm, facts, options })
  return { covered: true, ...order }
}

/** Asked with `includeProtocolData` the service says so with null, else it leaves `protocol` out (wire.md 1.7). */
const hasNoOrder = (quote: unknown): boolean =>
  valueAt(quote, 'protocol') === undefined || valueAt(quote, 'protocol.v2.orderId') === null

/** What the deposit commits to, whether its user sends it or signs for it. */
const checkDeposit = (
  quote: unknown,
  steps: QuoteSteps,
  deposit: { readonly vm: VerifiableVm; readonly facts: DepositFacts; readonly options: VerifyOptions },
): void => {
  const { vm, facts, options } = deposit
  const { signature, transactions } = steps
  if (vm.mapsDeposits !== true && transactions[0]?.id === MAPPING_STEP)
    throw new UnreadableQuoteError(`Deposits on ${vm.protocolVmType} are not signed for by a step of their own`)
  if (signature === null) {
    vm.checkDeposit(transactions, facts)
    return
  }
  if (vm.checkPermit === undefined)
    throw new UnreadableQuoteError(`Signed deposits on ${vm.protocolVmType} cannot be checked (options.vms)`)
  const permitRouter = options.permitRouters?.[facts.slug] ?? null
  const deadline = integerAt(quote, 'protocol.v2.orderData.output.deadline')
  vm.checkPermit({ transactions, signature }, { ...facts, permitRouter, deadline })
}

const DIRECT_STEPS = ['approve', 'swap', 'send']

/** A swap, wrap or transfer that the user makes alone on one chain: nobody promises anything, so there is no order. */
const checkDirect = (
  quote: unknown,
  { transactions, signature }: QuoteSteps,
  findings: Findings,
): Pick<VerifiedQuote, 'covered' | 'orderId' | 'solver'> => {
  const chainOf = (side: string) => integerAt(quote, `details.${side}.currency.chainId`)
  if (chainOf('currencyIn') !== chainOf('currencyOut')) throw new UnreadableQuoteError('protocol.v2 is missing')
  if (signature !== null) throw new UnreadableQuoteError(`The step ${signature.id} needs an order`)
  for (const { id } of transactions) findings.require(DIRECT_STEPS.includes(id), `The step ${id} needs an order`)
  findings.notCovered.push(`what the transactions do for ${textAt(quote, 'details.recipient')}: simulate them`)
  return { covered: false, orderId: null, solver: null }
}
