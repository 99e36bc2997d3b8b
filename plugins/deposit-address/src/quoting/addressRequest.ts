import { destinationText, readDestination, ServiceError } from '@causeway/core'
import { type DepositAddressType, type QuoteDraft, whyNotPayable, whyOwnerless } from '@causeway/core/plugin'
import type { AddressBody } from './addressBody.js'

/** What a body asks of its address, checked against its chain. */
export interface AddressRequest {
  readonly type: DepositAddressType
  readonly refundToSender: boolean
  /** As it was asked for, canonical; null: not at all. */
  readonly refundTo: string | null
  readonly recoveryAddress: string | null
}

const isMarker = ({ origin: { adapter } }: QuoteDraft, text: string): boolean =>
  adapter.normalizeCurrency(text) === adapter.native.address

/** The marker of the native currency means back to whoever sent it (wire.md E.5). */
const namesSender = (draft: QuoteDraft): boolean => {
  const { refundTo } = draft.body
  if (refundTo === undefined || !isMarker(draft, refundTo)) return false
  const { adapter, config } = draft.origin
  if (adapter.capabilities.refundToDepositor) return true
  throw new ServiceError(
    'INVALID_ADDRESS',
    `body.refundTo stands for the native currency, but chain ${config.id} cannot pay back to whoever sent a deposit; name an address`,
  )
}

const recoveryOf = (draft: QuoteDraft, text: string | undefined): string | null => {
  if (text === undefined) return null
  const { adapter, config } = draft.origin
  if (isMarker(draft, text)) {
    throw new ServiceError('INVALID_ADDRESS', 'body.recoveryAddress stands for the native currency; name an account')
  }
  const check = readDestination(adapter, text)
  if (!check.ok) {
    const message = `body.recoveryAddress is not an address of chain ${config.id}: ${check.why}`
    throw new ServiceError('INVALID_ADDRESS', message)
  }
  const why = whyNotPayable(draft.origin, [], check.destination.address)
  if (why === null) return destinationText(check.destination)
  throw new ServiceError('INVALID_ADDRESS', `body.recoveryAddress ${why}; name an account`)
}

/** Whoever pays need not be anybody, but the recipient is somebody. */
const requireRecipient = ({ body, destination: { adapter }, recipient }: QuoteDraft): void => {
  if (body.recipient !== undefined) return
  if (whyOwnerless(adapter, recipient) === null) return
  throw new ServiceError(
    'INVALID_RECIPIENT',
    'body.recipient is required when body.user is a placeholder or an address without an owner',
  )
}

/** Throws ServiceError `INVALID_ADDRESS`, `INVALID_RECIPIENT`. */
export const readAddressRequest = (draft: QuoteDraft, { strict, recoveryAddress }: AddressBody): AddressRequest => {
  requireRecipient(draft)
  const refundToSender = namesSender(draft)
  const { adapter } = draft.origin
  const named = draft.refundTo === null ? null : destinationText(draft.refundTo)
  return {
    type: strict === true ? 'strict' : 'open',
    refundToSender,
    refundTo: refundToSender ? adapter.native.address : named,
    recoveryAddress: recoveryOf(draft, recoveryAddress),
  }
}
