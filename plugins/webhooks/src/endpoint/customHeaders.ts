import { HttpError } from '@causeway/core/plugin'

export type CustomHeaders = Readonly<Record<string, string>>

const MAX_HEADERS = 20
const MAX_BYTES = 4096
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/
/** Visible ASCII, with blanks inside only: line breaks would make headers of their own. */
const VALUE = /^[!-~](?:[ -~]*[!-~])?$/
/** What the service itself says, and what is about the connection. */
const RESERVED =
  /^(?:host|content-.*|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|date|user-agent|accept-encoding|proxy-.*|x-signature-.*|x-event-id|webhook-.*)$/

const refuse = (message: string): never => {
  throw new HttpError(400, message)
}

/**
 * Headers that an endpoint wants with every delivery, names in small letters: at most 20 and 4 KiB, none of those that the
 * service sets (wire.md H.4, Custom headers). @throws HttpError 400 that repeats no value
 */
export const customHeaders = (given: CustomHeaders): CustomHeaders => {
  const entries = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value] as const)
  if (entries.length > MAX_HEADERS) refuse(`headers must have at most ${MAX_HEADERS} entries`)
  for (const [name, value] of entries) {
    if (!NAME.test(name)) refuse('headers has a name that is no header name')
    if (RESERVED.test(name)) refuse(`headers must not set ${name}`)
    if (!VALUE.test(value)) refuse(`headers.${name} must be visible ASCII characters on one line`)
  }
  if (new Set(entries.map(([name]) => name)).size < entries.length) refuse('headers has a name twice')
  const bytes = entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  if (bytes > MAX_BYTES) refuse(`headers must have at most ${MAX_BYTES} bytes together`)
  return Object.fromEntries(entries)
}
