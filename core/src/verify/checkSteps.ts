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

/** Steps of a quote: one item each, of one request, watched under its id (wire.md 1.4). */
export const readSteps = (quote: unknown, findings: Findings): QuoteSteps => {
  const requestId = textAt(quote, 'requestId')
  const steps = listAt(quote, 'steps')
  const isSigned = steps.length > 0 && valueAt(steps.at(-1), 'kind') === 'signature'
  const read = steps.map((step, at) => {
    const name = `steps.${at}`
    findings.same(`${name}.requestId`, textAt(step, 'requestId'), requestId)
    const kind = isSigned && at === steps.length - 1 ? 'signature' : 'transaction'
    findings.same(`${name}.kind`, textAt(step, 'kind'), kind)
    const items = listAt(step, 'items')
    findings.same(`The number of ${name}.items`, items.length, 1)
    findings.same(`${name}.items.0.status`, valueAt(items, '0.status'), 'incomplete')
    checkWatch(valueAt(items, '0.check'), `${name}.items.0.check`, { requestId, findings })
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

/** A client follows it: it must ask this service for the status of this request. */
const checkWatch = (
  check: unknown,
  name: string,
  { requestId, findings }: { readonly requestId: string; readonly findings: Findings },
): void => {
  if (check === undefined) return
  const endpoint = textAt(check, 'endpoint')
  const expected = STATUS_PATHS.map((path) => `${path}?requestId=${requestId}`)
  findings.require(expected.includes(endpoint), `${name}.endpoint asks something else than the status of the request`)
  findings.same(`${name}.method`, textAt(check, 'method'), 'GET')
}
