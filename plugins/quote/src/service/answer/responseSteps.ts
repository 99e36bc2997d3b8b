import type { Hex } from '@causeway/core'
import type { StepItemDraft } from '@causeway/core/chain'

/**
 * The check that shows when an item is done: the last that moves funds with its request, an `approve` once its allowance is there. The public client
 * SDK waits for the check of an `approve` before it sends the deposit, so that one must not wait for the request.
 */
const checkOf = ({ approval }: StepItemDraft, requestId: Hex, isLast: boolean) => {
  if (!isLast && approval === undefined) return {}
  const status = `/intents/status?requestId=${requestId}`
  const { owner, token, spender, amount } = approval ?? {}
  const endpoint = isLast ? status : `${status}&approval=${[owner, token, spender, amount].join(',')}`
  return { check: { endpoint, method: 'GET' as const } }
}

const itemJson = (draft: StepItemDraft, requestId: Hex, isLast: boolean) => ({
  status: 'incomplete' as const,
  data: draft.data,
  ...checkOf(draft, requestId, isLast),
})

const headJson = ({ stepId, action, description, kind }: StepItemDraft, requestId: Hex, depositAddress: string) => ({
  id: stepId,
  action,
  description,
  kind,
  requestId,
  ...(stepId === 'deposit' ? { depositAddress } : {}),
})

/**
 * Steps of the answer (wire.md 1.4). The request id stands on every step; the status check of the whole request
 * only on the last item that moves funds, since a client waits wherever it sees one.
 */
export const stepsJson = (drafts: readonly StepItemDraft[], requestId: Hex) => {
  const last = drafts.findLastIndex(({ stepId }) => stepId !== 'approve')
  return drafts.map((draft, at) => ({
    ...headJson(draft, requestId, ''),
    items: [itemJson(draft, requestId, at === last)],
  }))
}

/** The same where something takes the place of the deposit: paid to an address, its items are one step (wire.md E.1). */
export const replacedStepsJson = (
  before: readonly StepItemDraft[],
  { address, items }: { readonly address: string | null; readonly items: readonly StepItemDraft[] },
  requestId: Hex,
) =>
  address === null
    ? stepsJson([...before, ...items], requestId)
    : addressStepsJson(before, { address, items }, requestId)

const addressStepsJson = (
  before: readonly StepItemDraft[],
  { address, items }: { readonly address: string; readonly items: readonly StepItemDraft[] },
  requestId: Hex,
) => {
  const [first] = items
  if (first === undefined) throw new Error('A deposit without items')
  return [
    ...before.map((draft) => ({
      ...headJson(draft, requestId, ''),
      items: [itemJson(draft, requestId, false)],
    })),
    {
      ...headJson({ ...first, stepId: 'deposit' }, requestId, address),
      items: items.map((draft, at) => itemJson(draft, requestId, at === items.length - 1)),
    },
  ]
}
