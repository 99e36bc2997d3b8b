import type { Findings } from './findings.js'
import { listAt, textAt, valueAt } from './quoteView.js'

/** A step with its one transaction. */
export interface TransactionStep {
  readonly id: string
  /** Not empty: whoever pays sends to this address, with no order id. */
  readonly depositAddress: string
  readonly data: unknown
}

/** Steps of a quote: one transaction each, of one request, watched under its id (wire.md 1.4). */
export const readSteps = (quote: unknown, findings: Findings): readonly TransactionStep[] => {
  const requestId = textAt(quote, 'requestId')
  return listAt(quote, 'steps').map((step, at) => {
    const name = `steps.${at}`
    findings.same(`${name}.requestId`, textAt(step, 'requestId'), requestId)
    findings.same(`${name}.kind`, textAt(step, 'kind'), 'transaction')
    const items = listAt(step, 'items')
    findings.same(`The number of ${name}.items`, items.length, 1)
    findings.same(`${name}.items.0.status`, valueAt(items, '0.status'), 'incomplete')
    checkWatch(valueAt(items, '0.check'), `${name}.items.0.check`, { requestId, findings })
    const depositAddress = valueAt(step, 'depositAddress') === undefined ? '' : textAt(step, 'depositAddress')
    return { id: textAt(step, 'id'), depositAddress, data: valueAt(items, '0.data') }
  })
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
