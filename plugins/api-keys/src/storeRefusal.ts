/** Why a change of keys or integrators was refused. */
export type RefusalKind = 'invalid' | 'unknown' | 'exists' | 'revoked' | 'full'

const STATUS = { invalid: 400, unknown: 404, exists: 409, revoked: 409, full: 409 } as const

/** A change that `ApiKeyStore` refused; nothing was written. The message may be shown to whoever asked for it. */
export class StoreRefusal extends Error {
  override readonly name = 'StoreRefusal'

  constructor(
    readonly kind: RefusalKind,
    message: string,
  ) {
    super(message)
  }

  /** The HTTP status that says it. */
  get status(): 400 | 404 | 409 {
    return STATUS[this.kind]
  }
}
