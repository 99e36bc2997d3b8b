import type { IncomingMessage } from 'node:http'
import getRawBody from 'raw-body'
import { HttpError } from '../httpError.js'
import { guardJson } from './jsonGuard.js'

export interface BodyLimits {
  /** Largest body in bytes; default 256 KiB (wire.md H.6). */
  readonly bytes: number
  /** How long a client may take to send it, in milliseconds. */
  readonly milliseconds: number
}

export const DEFAULT_BODY_LIMITS: BodyLimits = { bytes: 256 * 1024, milliseconds: 10_000 }

const utf8 = new TextDecoder('utf-8', { fatal: true })
const mediaTypePattern = /^application\/(?:json|[\w.-]+\+json)$/

const hasBody = (request: IncomingMessage): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0

/** Throws `HttpError` 415 unless the headers announce plain UTF-8 JSON. A missing type counts as JSON. */
const checkHeaders = (request: IncomingMessage): void => {
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new HttpError(415, 'The body must be sent without a content-encoding')
  }
  const contentType = request.headers['content-type']
  if (contentType === undefined || contentType === 'application/json') return
  const [mediaType = '', ...parameters] = contentType.toLowerCase().split(';')
  if (!mediaTypePattern.test(mediaType.trim())) throw new HttpError(415, 'The content-type must be application/json')
  for (const parameter of parameters) {
    const [name = '', value = ''] = parameter.split('=')
    const charset = value.trim().replaceAll('"', '')
    if (name.trim() === 'charset' && charset !== 'utf-8' && charset !== 'utf8') {
      throw new HttpError(415, 'The charset must be utf-8')
    }
  }
}

const tooLarge = (limits: BodyLimits): HttpError => new HttpError(413, `The body is larger than ${limits.bytes} bytes`)

const readBytes = async (request: IncomingMessage, limits: BodyLimits): Promise<Buffer> => {
  if (Number(request.headers['content-length'] ?? 0) > limits.bytes) throw tooLarge(limits)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new HttpError(408, 'The body took too long to arrive')), limits.milliseconds)
  })
  try {
    const bytes = getRawBody(request, { length: request.headers['content-length'] ?? null, limit: limits.bytes })
    return await Promise.race([bytes, late])
  } catch (error) {
    if (HttpError.is(error)) throw error
    if (error instanceof Error && Reflect.get(error, 'type') === 'entity.too.large') throw tooLarge(limits)
    throw new HttpError(400, 'The body did not arrive whole', { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

/** Parses the text of a body. Throws `HttpError` 400 when it is not JSON, or JSON that `guardJson` refuses. */
export const parseJsonBody = (bytes: Uint8Array): unknown => {
  let text: string
  let value: unknown
  try {
    text = utf8.decode(bytes)
    value = JSON.parse(text)
  } catch (error) {
    throw new HttpError(400, 'The body is not valid JSON', { cause: error })
  }
  guardJson(text)
  return value
}

/**
 * Reads a JSON body; an absent one is `{}`. Throws `HttpError`: 413 too large (decided before reading where the length
 * is announced), 415 other type, charset or encoding, 408 too slow, 400 not JSON (faults.md F91).
 */
export const readJsonBody = async (request: IncomingMessage, limits: BodyLimits): Promise<unknown> => {
  if (!hasBody(request)) return {}
  checkHeaders(request)
  const bytes = await readBytes(request, limits)
  return bytes.length === 0 ? {} : parseJsonBody(bytes)
}
