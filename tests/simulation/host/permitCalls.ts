import type { Hex } from '@causeway/core'
import { PERMIT_HANDLERS } from '@causeway/core/plugin'
import type { DependencyContainer } from 'tsyringe'

/** A signature for a deposit, as the step of its quote says it is to be posted. */
export interface PostedPermit {
  readonly kind: string
  readonly requestId: Hex
  readonly signature: Hex
}

/** `POST /execute/permits`; throws what the operation answers otherwise. */
export type PostPermit = (permit: PostedPermit) => Promise<void>

/** That of a host that has registered the plugin. */
export const postPermit = (container: DependencyContainer): PostPermit => {
  const handlers = container.resolveAll(PERMIT_HANDLERS).flat()
  return async (permit) => {
    const handler = handlers.find(({ kinds }) => kinds.includes(permit.kind))
    if (handler === undefined) throw new Error(`Nobody takes signatures of the kind ${permit.kind}.`)
    // CAST: the handler reads these fields alone.
    await handler.execute(permit as unknown as Parameters<typeof handler.execute>[0])
  }
}
