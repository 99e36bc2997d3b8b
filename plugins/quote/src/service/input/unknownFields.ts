import { ServiceError } from '@causeway/core'
import { editDistance, QuoteBodySchema } from '@causeway/core/plugin'
import type { QuoteExtensions } from '../quoteExtensions.js'

/** Names that clients send on purpose, although the service does not read them; never taken for a misspelling. */
const TOLERATED: ReadonlySet<string> = new Set(['source', 'apiKey', 'includeProtocolSignature'])

/** Names of other services, by their form without case and separators. */
const ALIASES: Readonly<Record<string, string>> = {
  fee: 'appFees',
  fees: 'appFees',
  integratorfee: 'appFees',
  slippage: 'slippageTolerance',
  slippagebps: 'slippageTolerance',
  maxslippage: 'slippageTolerance',
  toaddress: 'recipient',
  receiver: 'recipient',
  refundaddress: 'refundTo',
  gastopup: 'topupGas',
}

const MAX_WARNINGS = 20
const MAX_NAME = 60

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** One edit of a name, two of a long one; a short name is too easily another word. */
const editsAllowed = (name: string): number => (name.length < 5 ? 0 : name.length < 9 ? 1 : 2)

const meantBy = (name: string, fields: readonly string[]): string | undefined => {
  const text = plain(name)
  const alias = Object.hasOwn(ALIASES, text) ? ALIASES[text] : undefined
  if (alias !== undefined) return alias
  const edits = editsAllowed(text)
  return fields.find((field) => {
    const known = plain(field)
    return Math.abs(known.length - text.length) <= edits && editDistance(text, known) <= edits
  })
}

const shownName = (name: string): string => JSON.stringify(name.slice(0, MAX_NAME))

const refuse = (name: string, field: string): ServiceError =>
  new ServiceError(
    'INVALID_REQUEST',
    `${shownName(name)} is not a field of the body; did you mean ${field}? The service would ignore it`,
  )

/**
 * Warnings about the fields of a body that the service does not know and ignores, by name. Throws ServiceError `INVALID_REQUEST` for a
 * name that is nearly that of a field: a misspelt fee or slippage must not be ignored (wire.md 0.1).
 */
export const warnOfUnknownFields = (body: object, extensions: Pick<QuoteExtensions, 'fields'>): readonly string[] => {
  const fields = [...new Set([...Object.keys(QuoteBodySchema.properties), ...extensions.fields()])]
  const unknown = Object.keys(body).filter((name) => !fields.includes(name))
  for (const name of unknown) {
    if (TOLERATED.has(name)) continue
    const field = meantBy(name.slice(0, MAX_NAME), fields)
    if (field !== undefined) throw refuse(name, field)
  }
  return unknown
    .filter((name) => !TOLERATED.has(name))
    .slice(0, MAX_WARNINGS)
    .map((name) => `${shownName(name)} is not a field of the body. It was ignored.`)
}
