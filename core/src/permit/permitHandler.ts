import { token } from '../container/tokens.js'
import type { Caller } from '../http/access/integratorAuth.js'
import type { RequestContext } from '../http/route.js'
import type { Hex } from '../money/hex.js'

/** A signature that was posted for a step of kind `signature` (wire.md 2.7). */
export interface PermitCall {
  readonly kind: string
  /** In lower case. */
  readonly requestId: Hex
  readonly api?: 'bridge' | 'swap' | 'user-swap' | undefined
  /** `terms` of the step's `post.body`, where it has them: text that the service made and did not store. */
  readonly terms?: string | undefined
  /** As a stranger sent it. */
  readonly signature: string
  readonly caller: Caller
  readonly ctx: RequestContext
}

/** What is answered; never an empty list of steps: clients would not go on then (wire.md 2.7). */
export interface PermitAnswer {
  readonly message: string
  readonly steps?: readonly object[]
}

/** Takes the signatures of some kinds of steps. Each kind is of one plugin. */
export interface PermitHandler {
  /** Values of `kind` in the body. */
  readonly kinds: readonly string[]
  /** Throws ServiceError or HttpError with a 400 for what is not signed by whom it must be, is unknown, or has expired. */
  execute(call: PermitCall): Promise<PermitAnswer>
}

export const PERMIT_HANDLERS = token<PermitHandler[]>('core/PermitHandlers')
