import type { Hex } from '@causeway/core'
import { PERMIT_HANDLERS, type Route } from '@causeway/core/plugin'
import appFeesPlugin from '@causeway/plugin-app-fees'

/** What is claimed of a balance, as the body of `POST /app-fees/{wallet}/claim` says it. */
export interface ClaimAsked {
  readonly chainId: number
  readonly currency: string
  readonly recipient: string
  readonly amount?: string
}

/** The operations of a wallet that claims, as HTTP has them behind its checks. */
export interface ClaimCalls {
  /** `POST /app-fees/{wallet}/claim`; answers what is to be signed. */
  ask(wallet: string, body: ClaimAsked): Promise<ClaimToSign>
  /** `POST /execute/permits`. */
  sign(claim: ClaimToSign, signature: Hex): Promise<void>
}

/** The 32 bytes that the wallet signs, and what goes back with its signature. */
export interface ClaimToSign {
  readonly id: Hex
  readonly terms: string
}

interface ClaimStep {
  readonly requestId: Hex
  readonly items: readonly { readonly data: { readonly post: { readonly body: { readonly terms: string } } } }[]
}

type Context = Parameters<NonNullable<typeof appFeesPlugin.routes>>[0]

/** Those of a host that has registered the plugin. */
export const claimCalls = (context: Context): ClaimCalls => {
  const route = (appFeesPlugin.routes?.(context) ?? []).find(({ path }) => path.endsWith('/claim'))
  if (route === undefined) throw new Error('The plugin of app fees has no such operation.')
  const handlers = context.container.resolveAll(PERMIT_HANDLERS).flat()
  const handler = handlers.find(({ kinds }) => kinds.includes('claim'))
  if (handler === undefined) throw new Error('Nobody takes signatures of claims.')
  return {
    ask: async (wallet, body) => {
      // CAST: the operation reads its parameters and body alone.
      const call = { params: { wallet }, body } as unknown as Parameters<Route['handler']>[0]
      // CAST: the shape is that of the plugin's schema, checked by its own tests.
      const answer = (await route.handler(call)) as { readonly steps: readonly ClaimStep[] }
      const [step] = answer.steps
      const [item] = step?.items ?? []
      if (step === undefined || item === undefined) throw new Error('A claim has a step to sign.')
      return { id: step.requestId, terms: item.data.post.body.terms }
    },
    sign: async ({ id, terms }, signature) => {
      // CAST: the handler reads these members alone.
      const call = { kind: 'claim', requestId: id, terms, signature } as unknown as Parameters<
        typeof handler.execute
      >[0]
      await handler.execute(call)
    },
  }
}
