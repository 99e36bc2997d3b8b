import type { Route } from '@causeway/core/plugin'

/** What a host serves, as far as the beginning tells of it. */
export interface Served {
  readonly routes: readonly Pick<Route, 'path' | 'changes'>[]
  /** Whether changes of status are told over a websocket too; no route says so. */
  readonly websocket: boolean
}

const lines = (...texts: readonly (string | false)[]): string => texts.filter((text) => text !== false).join('\n')

const firstTransfer = (serves: (path: string) => boolean): string | false => {
  const quote = ['/quote', '/quote/v2'].find(serves)
  if (quote === undefined) return false
  const steps = [
    `**Quote.** \`POST ${quote}\` says what a transfer costs. The answer has \`steps\` and a \`requestId\`, by which the transfer is known from then on.`,
    '**Send.** Take the steps in their order. Of one of the kind `transaction` the wallet signs and sends the `data` of each item on its chain. Of one of the kind `signature` it signs `data.sign`; then call `data.post`, with the signature in the query parameter `signature`.',
    serves('/transactions/index') &&
      '**Tell, if you like.** `POST /transactions/index` with the hash of the transaction has the service look for it at once.',
    serves('/intents/status/v3') &&
      '**Follow.** Ask `GET /intents/status/v3?requestId=…` every few seconds, until the status is `success`, `refund` or `failure`. After `failure` an operator may still send the money back: then it becomes `refund`.',
  ].filter((step) => step !== false)
  return lines('## A first transfer', '', ...steps.map((step, at) => `${at + 1}. ${step}`), '')
}

const pushed = (serves: (path: string) => boolean, websocket: boolean): string | false => {
  const webhook = serves('/dashboard/api/keys/:id/webhook')
  if (!webhook && !websocket) return false
  return lines(
    '## Told instead of asking',
    '',
    websocket &&
      '- **Websocket** at `/ws`. Send `{"type":"subscribe","event":"request.status.updated","filters":{"id":"<requestId>"}}`; every change of the status follows. It needs no key.',
    webhook &&
      '- **Webhook** of a key: a signed HTTPS call to your server for every change of a request that was quoted with the key. It may come more than once; `X-Event-Id` tells repeats.',
    '',
  )
}

const amounts = (serves: (path: string) => boolean): string =>
  lines(
    '## Amounts',
    '',
    `An amount is a text of digits, in the smallest unit of its currency: \`"1500000"\` is 1.5 of a currency with 6 decimals.${serves('/currencies/v2') ? ' `POST /currencies/v2` lists currencies with their `decimals`.' : ''} Never read one as a floating-point number. Values in US dollars are decimal texts.`,
    '',
  )

const errors = lines(
  '## Errors',
  '',
  'An error is JSON with a `message` for people (in a few operations `error`) and `statusCode`, the HTTP status. Quotes add an `errorCode`: decide by that, since messages may change. Every answer has the header `X-Request-Id`; name it when you ask the operator about a call, or send one of your own.',
  '',
)

const keys = (serves: (path: string) => boolean): string =>
  lines(
    '## Keys',
    '',
    `The header \`x-api-key\` says who calls. Operations that need a key say so; on the others a key raises limits and counts requests as yours, and one that is not valid is refused with 401.${serves('/dashboard') ? ' Keys are made at `/dashboard`.' : ''} A key belongs on a server and never into a browser.`,
    '',
  )

const REPEATS = lines(
  '## Repeats',
  '',
  'Operations that list the header `Idempotency-Key` may be repeated with it: for 24 hours the same key with the same body gets the first answer again, marked `Idempotency-Replayed: true`. With another body it is refused with 422, and with 409 while the first call still runs. A refusal that was of the moment, such as 429 or 503, is not kept: the repeat runs.',
  '',
)

const limits = (serves: (path: string) => boolean): string =>
  lines(
    '## Limits',
    '',
    `Where calls are limited, \`RateLimit-Remaining\` says how many are left; one too many is refused with 429, and \`Retry-After\` says after how many seconds to try again.${serves('/requests/v2') ? ' `/requests/v2` sends none of these headers.' : ''}`,
    '',
  )

/**
 * What an integrator reads before the operations, in Markdown: a first transfer, and what holds for all calls. It names an
 * operation only where the host serves it, since every plugin may be left out.
 */
export const documentationBeginning = ({ routes, websocket }: Served): string => {
  const paths = new Set(routes.map(({ path }) => path))
  const serves = (path: string): boolean => paths.has(path)
  return lines(
    'Quotes transfers of value across chains, pays them out, and tells what became of them.',
    '',
    firstTransfer(serves),
    pushed(serves, websocket),
    amounts(serves),
    errors,
    keys(serves),
    routes.some(({ changes }) => changes === true) && REPEATS,
    limits(serves),
  ).trimEnd()
}
