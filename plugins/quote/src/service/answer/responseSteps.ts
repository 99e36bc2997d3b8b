import type { Hex } from '@causeway/core'
import type { StepItemDraft } from '@causeway/core/chain'

const itemJson = (draft: StepItemDraft, requestId: Hex, isLast: boolean) => ({
  status: 'incomplete' as const,
  data: draft.data,
  ...(isLast ? { check: { endpoint: `/intents/status?requestId=${requestId}`, method: 'GET' as const } } : {}),
})

/**
 * Steps of the answer (wire.md 1.4). The request id stands on every step; the status check only on the last item that
 * moves funds, since a client waits for the whole request wherever it sees one.
 */
export const stepsJson = (drafts: readonly StepItemDraft[], requestId: Hex) => {
  const last = drafts.findLastIndex(({ stepId }) => stepId !== 'approve')
  return drafts.map((draft, at) => ({
    id: draft.stepId,
    action: draft.action,
    description: draft.description,
    kind: draft.kind,
    requestId,
    ...(draft.stepId === 'deposit' ? { depositAddress: '' } : {}),
    items: [itemJson(draft, requestId, at === last)],
  }))
}
