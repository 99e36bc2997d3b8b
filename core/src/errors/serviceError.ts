import { type ErrorCode, errorCatalog } from './errorCatalog.js'

const brand = Symbol.for('@causeway/core/ServiceError')

/** Public facts beside the message (wire.md 0.4); everything in it reaches the caller. */
export interface ServiceErrorData {
  readonly errorData?: unknown
  readonly approxSimulatedBlock?: number
  readonly failedCallData?: {
    readonly from: string
    readonly to: string
    readonly data: string
    readonly value: string
  }
  readonly requestId?: string
}

export interface ServiceErrorOptions {
  readonly data?: ServiceErrorData
  /** Kept for the log, never sent. */
  readonly cause?: unknown
}

/**
 * Base of every error that may reach an HTTP caller: a code that decides the status, and a message a stranger can act on.
 * The message holds no URL, key, stack or SQL.
 */
export class ServiceError extends Error {
  override readonly name: string = 'ServiceError'
  readonly data: ServiceErrorData

  constructor(
    readonly code: ErrorCode,
    message: string,
    options: ServiceErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.data = options.data ?? {}
    Object.defineProperty(this, brand, { value: true })
  }

  get status(): number {
    return errorCatalog[this.code].status
  }

  get retryable(): boolean {
    return errorCatalog[this.code].retryable
  }

  /** Whether the refusal is of a moment: the very same request may be accepted later. */
  get passing(): boolean {
    return errorCatalog[this.code].passing
  }

  /** True for an error made by any loaded copy of core. */
  static is(error: unknown): error is ServiceError {
    return error instanceof Error && Reflect.get(error, brand) === true
  }
}
