import type { Findings } from './findings.js'
import { listAt, textAt, valueAt } from './quoteView.js'

/** A step with its one transaction. */
export interface TransactionStep {
  readonly id: string
  /** Not empty: whoever pays sends to this address, with no order id. */
  readonly depositAddress: string
  readonly data: unknown
}

/** A step that is signed and sent nowhere but to this service (wire.md A.4). */
export interface SignatureStep {
  readonly id: string
  /** As the answer to the post names it. */
  readonly kind: string
  readonly sign: unknown
}

/** What a quote asks its user for. */
export interface QuoteSteps {
  readonly transactions: readonly TransactionStep[]
  /** What comes last, where the deposit is signed for and not sent; else null. */
  readonly signature: SignatureStep | null
}

/** First of the steps where a signature names the order of the transaction behind it (wire.md 2.8). It is among the transactions. */
export const MAPPING_STEP = 'authorize'

/** Steps of a quote: one item each, of one request, watched under its id (wire.md 1.4). */
export const readSteps = (quote: unknown, findings: Findings): QuoteSteps => {
  const requestId = textAt(quote, 'requestId')
  const steps = listAt(quote, 'steps')
  const isSigned = steps.length > 0 && valueAt(steps.at(-1), 'kind') === 'signature'
  const read = steps.map((step, at) => {
    const name = `steps.${at}`
    findings.same(`${name}.requestId`, textAt(step, 'requestId'), requestId)
    const isMapping = at === 0 && steps.length > 1 && textAt(step, 'id') === MAPPING_STEP
    const kind = isMapping || (isSigned && at === steps.length - 1) ? 'signature' : 'transaction'
    findings.same(`${name}.kind`, textAt(step, 'kind'), kind)
    const items = listAt(step, 'items')
    findings.same(`The number of ${name}.items`, items.length, 1)
    findings.same(`${name}.items.0.status`, valueAt(items, '0.status'), 'incomplete')
    const watched = { id: textAt(step, 'id'), data: valueAt(items, '0.data'), requestId, findings }
    checkWatch(valueAt(items, '0.check'), `${name}.items.0.check`, watched)
    const depositAddress = valueAt(step, 'depositAddress') === undefined ? '' : textAt(step, 'depositAddress')
    return { id: textAt(step, 'id'), depositAddress, data: valueAt(items, '0.data') }
  })
  const last = read.at(-1)
  if (!isSigned || last === undefined) return { transactions: read, signature: null }
  return { transactions: read.slice(0, -1), signature: readSignature(last, { requestId, findings }) }
}

const PERMIT_PATHS = ['/execute/permits', '/execute/permit']

/** A client posts the signature where the step says: it must go to this service, for this request. */
const readSignature = (
  { id, data }: TransactionStep,
  { requestId, findings }: { readonly requestId: string; readonly findings: Findings },
): SignatureStep => {
  const endpoint = textAt(data, 'post.endpoint')
  findings.require(PERMIT_PATHS.includes(endpoint), 'The signature is posted to something else than this service')
  findings.same('The method of the post', textAt(data, 'post.method'), 'POST')
  findings.same('The request of the post', textAt(data, 'post.body.requestId'), requestId)
  return { id, kind: textAt(data, 'post.body.kind'), sign: valueAt(data, 'sign') }
}

const STATUS_PATHS = ['/intents/status', '/intents/status/v3']

/** The allowance that the item of an `approve` gives, as its check names it; the amount is the last word of the call. */
const approvalOf = (data: unknown, text: string): boolean => {
  const [owner, token, spender, amount = '', ...others] = text.split(',')
  const same = (part: string | undefined, member: string) => part?.toLowerCase() === textAt(data, member).toLowerCase()
  if (others.length > 0 || !/^[1-9][0-9]{0,77}$/.test(amount) || !same(owner, 'from') || !same(token, 'to'))
    return false
  const words = `${spender?.slice(2).toLowerCase()}${BigInt(amount).toString(16).padStart(64, '0')}`
  return textAt(data, 'data').toLowerCase().endsWith(words)
}

/** A client follows it: it must ask this service for the status of this request, or for the allowance that the item gives. */
const checkWatch = (
  check: unknown,
  name: string,
  {
    id,
    data,
    requestId,
    findings,
  }: { readonly id: string; readonly data: unknown; readonly requestId: string; readonly findings: Findings },
): void => {
  if (check === undefined) return
  const [endpoint = '', approval, ...more] = textAt(check, 'endpoint').split('&approval=')
  const isOwn = approval === undefined || (id === 'approve' && more.length === 0 && approvalOf(data, approval))
  findings.require(isOwn, `${name}.endpoint asks for something else than the allowance of the item`)
  const expected = STATUS_PATHS.map((path) => `${path}?requestId=${requestId}`)
  findings.require(expected.includes(endpoint), `${name}.endpoint asks something else than the status of the request`)
  findings.same(`${name}.method`, textAt(check, 'method'), 'GET')
}
