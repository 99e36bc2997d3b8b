import type { RequestStatus, RequestStatusView } from '@causeway/core/plugin'
import { fundsText, type Names } from './fundsText.js'

const NONE = 'N/A'
const FAILED = 'Transaction failed'

/** Public clients end their wait on `failure` only when the details begin with these words (wire.md A.3, H.3). */
const detailsOf = ({ status, details, atAddress }: RequestStatusView, names: Names): string | null => {
  if (details === null && atAddress !== undefined) return fundsText(atAddress, names)
  if (details === null || status !== 'failure' || details.startsWith(FAILED)) return details
  return `${FAILED}: ${details}`
}

/** A reason shows once the request failed or was refunded, and then never as nothing (wire.md B.3). */
const failReasonOf = ({ status, failReason }: RequestStatusView): string =>
  status === 'failure' || status === 'refund' ? (failReason ?? 'UNKNOWN') : NONE

const hashesOf = ({ inTxHashes, txHashes }: RequestStatusView) => ({ inTxHashes, txHashes })

/** Body of `/intents/status/v3` (wire.md 2.1). */
export const statusBodyV3 = (view: RequestStatusView, names: Names) => ({
  status: view.status,
  details: detailsOf(view, names),
  ...hashesOf(view),
  updatedAt: view.updatedAt,
  originChainId: view.originChainId,
  destinationChainId: view.destinationChainId,
  quoteCreatedAt: view.quoteCreatedAt,
  failReason: failReasonOf(view),
  refundFailReason: view.refundFailReason ?? NONE,
})

/** Body of `/intents/status/v2`: it has no `submitted`, which shows as `pending` (wire.md 2.2, H.3). */
export const statusBodyV2 = (view: RequestStatusView, names: Names) => ({
  status: view.status === 'submitted' ? ('pending' as const) : view.status,
  details: detailsOf(view, names),
  ...hashesOf(view),
  time: view.updatedAt,
  originChainId: view.originChainId,
  destinationChainId: view.destinationChainId,
  quoteCreatedAt: view.quoteCreatedAt,
})

const LEGACY_WORDS: Readonly<Record<RequestStatus, 'received' | 'pending' | 'success' | 'failure' | 'fallback'>> = {
  waiting: 'received',
  depositing: 'pending',
  pending: 'pending',
  submitted: 'pending',
  success: 'success',
  failure: 'failure',
  refund: 'fallback',
}

/** Body of `/intents/status` with the old words: v3's fields, v1's `time` beside them (wire.md H.3). */
export const statusBodyLegacy = (view: RequestStatusView, names: Names) => ({
  ...statusBodyV3(view, names),
  status: LEGACY_WORDS[view.status],
  time: view.updatedAt,
})
