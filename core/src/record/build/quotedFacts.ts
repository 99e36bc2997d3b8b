import type { Json } from '../../chain/json.js'
import type { AmountJson } from '../../http/openapi/sharedSchemas.js'
import type { RecordFacts } from '../recordFacts.js'

const isObject = (value: Json | undefined): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a quote's answer says at a path such as `details.currencyIn`; undefined where it says nothing. */
export const quotedAt = ({ quoted }: Pick<RecordFacts, 'quoted'>, path: string): Json | undefined => {
  let at: Json | undefined = quoted as Json
  for (const name of path.split('.')) at = isObject(at) ? at[name] : undefined
  return at
}

/** The text at a path; null where there is none. */
export const quotedText = (facts: Pick<RecordFacts, 'quoted'>, path: string): string | null => {
  const found = quotedAt(facts, path)
  return typeof found === 'string' ? found : null
}

/** The texts of a list at a path. */
export const quotedTexts = (facts: Pick<RecordFacts, 'quoted'>, path: string): readonly string[] => {
  const found = quotedAt(facts, path)
  return Array.isArray(found) ? found.filter((item) => typeof item === 'string') : []
}

const isAmount = (value: Json | undefined): boolean =>
  isObject(value) && isObject(value.currency) && typeof value.amount === 'string' && typeof value.amountUsd === 'string'

/** The amount object at a path; null where there is none. */
export const quotedAmount = (facts: Pick<RecordFacts, 'quoted'>, path: string): AmountJson | null => {
  const found = quotedAt(facts, path)
  // CAST: quotes store what `amountObject` made.
  return isAmount(found) ? (found as unknown as AmountJson) : null
}
