import { UsageError } from '../cli/plainError.js'
import type { SecretPlace } from '../config/keys/keySources.js'

/** Where a text comes from: written out, or a variable. */
export type Source = { readonly text: string } | { readonly env: string }

/** A text, or `env:NAME`. */
export const sourceOf = (text: string): Source => {
  const env = /^env:([A-Za-z_][A-Za-z0-9_]*)$/.exec(text)?.[1]
  return env === undefined ? { text } : { env }
}

/** As `sourceOf` reads it, and as configurations write endpoints. */
export const sourceText = (source: Source): string => ('text' in source ? source.text : `env:${source.env}`)

/** Its value. @throws UsageError where a variable is not set */
export const textOf = (source: Source, { environment }: Pick<SecretPlace, 'environment'>): string => {
  if ('text' in source) return source.text
  const value = environment[source.env]
  if (value === undefined || value === '')
    throw new UsageError(`The environment variable ${source.env} is not set: endpoints and database are looked at now.`)
  return value
}
