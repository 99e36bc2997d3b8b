import type { Clock } from '@causeway/core'
import { type ErrorAnswer, HttpError, StatusCode } from '@causeway/core/plugin'
import { type Static, Type } from '@sinclair/typebox'
import type { RequestsV2Options } from './options.js'

/** `deprecation` of an answer; dates are ISO 8601 (wire.md 3.3). */
export const DeprecationSchema = Type.Object(
  {
    message: Type.String(),
    deprecatedAt: Type.String(),
    throttledFrom: Type.String(),
    sunsetAt: Type.String(),
    successor: Type.String(),
    migrationGuide: Type.String(),
  },
  { title: 'Deprecation' },
)

const moved = { message: Type.String(), successor: Type.String(), migrationGuide: Type.String() }

/** The body of 429, which the specification fixes. */
export const TooManySchema = Type.Object(moved, { title: 'TooManyRequests' })

/** The body of 410. */
export const MovedSchema = Type.Object({ ...moved, statusCode: StatusCode() }, { title: 'Moved' })

const TOO_MANY = 'Too many requests; the limit of this deprecated operation is cut every month. Use its successor.'

/** What `GET /requests/v2` says of its end (wire.md 3.3). */
export class Deprecation {
  /** Of every answer of the operation, errors included. */
  readonly headers: Readonly<Record<string, string>>
  /** In the body of a page. */
  readonly notice: Static<typeof DeprecationSchema>
  readonly #where: { readonly successor: string; readonly migrationGuide: string }
  readonly #sunset: Date
  readonly #clock: Clock

  constructor({ options, clock }: { readonly options: RequestsV2Options; readonly clock: Clock }) {
    const { successor, migrationGuide } = options
    const deprecated = new Date(options.deprecatedAt)
    const sunset = new Date(options.sunsetAt)
    this.#clock = clock
    this.#sunset = sunset
    this.#where = { successor, migrationGuide }
    this.headers = {
      Deprecation: `@${deprecated.getTime() / 1_000}`,
      Sunset: sunset.toUTCString(),
      Link: `<${migrationGuide}>; rel="deprecation", <${migrationGuide}>; rel="sunset", <${successor}>; rel="successor-version"`,
    }
    this.notice = {
      message: `GET /requests/v2 is deprecated and ends at ${sunset.toISOString()}. Use ${successor}.`,
      deprecatedAt: deprecated.toISOString(),
      throttledFrom: new Date(options.throttledFrom).toISOString(),
      sunsetAt: sunset.toISOString(),
      ...this.#where,
    }
  }

  /** Throws 410 from the day of retirement on, by the clock of the deployment. */
  requireServed(): void {
    if (this.#clock.now() < this.#sunset.getTime()) return
    const message = `GET /requests/v2 was retired at ${this.#sunset.toISOString()}. Use ${this.#where.successor}.`
    throw new HttpError(410, message, { fields: this.#where })
  }

  /** Error bodies of the operation: too many requests are told where else to go. */
  errorBody({ status, body }: ErrorAnswer): Readonly<Record<string, unknown>> {
    return status === 429 ? { message: TOO_MANY, ...this.#where } : body
  }
}
