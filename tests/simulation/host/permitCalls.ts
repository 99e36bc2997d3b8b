import type { Hex } from '@causeway/core'
import {
  ANONYMOUS,
  acceptOrigin,
  CHAINS,
  failpoint,
  PERMIT_HANDLERS,
  POOL,
  QUOTE_STORE,
  withTransaction,
} from '@causeway/core/plugin'
import type { DependencyContainer } from 'tsyringe'

/** A signature for a deposit, as the step of its quote says it is to be posted. */
export interface PostedPermit {
  readonly kind: string
  readonly requestId: Hex
  readonly signature: Hex
}

/** A call that is to bring in the deposit of a quote. */
export interface PostedCall {
  readonly requestId: Hex
  readonly data: Hex
  /** Unix milliseconds after which nothing comes of it. */
  readonly overAt: number
}

/** What users who only sign hand to a host; throws what is answered otherwise. */
export interface OriginCalls {
  /** `POST /execute/permits`. */
  post(permit: PostedPermit): Promise<void>
  /** What takes a call: the acceptance of core itself. */
  call(call: PostedCall): Promise<void>
}

/** Those of a host that has registered the plugin. */
export const originCalls = (container: DependencyContainer): OriginCalls => {
  const handlers = container.resolveAll(PERMIT_HANDLERS).flat()
  return {
    post: async (permit) => {
      const handler = handlers.find(({ kinds }) => kinds.includes(permit.kind))
      if (handler === undefined) throw new Error(`Nobody takes signatures of the kind ${permit.kind}.`)
      const call = { ...permit, caller: ANONYMOUS, ctx: { ip: networkOf(permit.signature) } }
      // CAST: the handler reads these fields alone.
      await handler.execute(call as unknown as Parameters<typeof handler.execute>[0])
    },
    call: (call) => acceptCall(container, call),
  }
}

/** Each signature comes from a network of its own: caps on what one owner costs are reached before those of a caller. */
const networkOf = (signature: Hex): string => [10, ...Buffer.from(signature.slice(-6), 'hex')].join('.')

const acceptCall = async (container: DependencyContainer, { requestId, data, overAt }: PostedCall): Promise<void> => {
  const terms = await container.resolve(QUOTE_STORE).findTerms(requestId)
  if (terms === null) throw new Error('The quote is unknown.')
  const { config, adapter } = container.resolve(CHAINS).get(terms.origin.chainId)
  const { depository, native } = adapter
  const accepted = {
    terms,
    signer: config.originSender ?? '',
    recipient: { address: depository },
    money: { currency: native.address, amount: 0n },
    origin: { kind: 'call', call: { to: depository, data, value: '0' }, borne: { by: 'route' } },
    gas: null,
    overAt,
  } as const
  await failpoint('origin.accept.before')
  const { kind } = await withTransaction(container.resolve(POOL), (client) =>
    acceptOrigin(client, accepted, Date.now()),
  )
  await failpoint('origin.accept.after')
  if (kind === 'over') throw new Error('The request is past that.')
}
