import { createHash } from 'node:crypto'
import type { Hex } from '../money/hex.js'
import type { RequestStatus } from '../request/requestStatus.js'
import type { OutboxCursor } from './outboxCursor.js'

/** Name of the one event there is (wire.md 5.2). */
export const STATUS_EVENT = 'request.status.updated'

/** `data` of `request.status.updated`, in the order of its fields on the wire (wire.md 5.2). */
export interface StatusEventData {
  readonly status: RequestStatus
  readonly inTxHashes: readonly string[]
  /** Fill hashes, or refund hashes of a refunded request. */
  readonly txHashes: readonly string[]
  /** Unix milliseconds. */
  readonly updatedAt: number
  readonly originChainId: number
  readonly destinationChainId: number
  readonly depositAddress: {
    readonly address: string
    readonly depositAddressType: 'open' | 'strict'
    readonly depositor: string | null
    readonly depositTxHash: string | null
  } | null
  readonly requestId: Hex
  /** Owner's field: not for anonymous subscribers (wire.md 5.3). */
  readonly referrer: string | null
  readonly details: { readonly message: string } | null
  readonly failReason: string
  readonly refundFailReason: string
}

/** An event of the outbox. */
export interface OutboxEvent {
  readonly cursor: OutboxCursor
  readonly requestId: Hex
  /** Version of the request; grows with each of its events. */
  readonly version: number
  readonly status: RequestStatus
  /** Id of the key that made the quote; null for an anonymous one. */
  readonly apiKeyId: string | null
  /** Whose key that was. */
  readonly integratorId: string | null
  /** Unix milliseconds. */
  readonly createdAt: number
  /** `data` as the change of status wrote it: JSON text. */
  readonly payload: string
}

/** The event's `data`, its fields in their order and no others. */
export const statusEventData = ({ payload }: Pick<OutboxEvent, 'payload'>): StatusEventData => {
  const data = JSON.parse(payload) as StatusEventData
  return {
    status: data.status,
    inTxHashes: data.inTxHashes,
    txHashes: data.txHashes,
    updatedAt: data.updatedAt,
    originChainId: data.originChainId,
    destinationChainId: data.destinationChainId,
    depositAddress: data.depositAddress,
    requestId: data.requestId,
    referrer: data.referrer,
    details: data.details,
    failReason: data.failReason,
    refundFailReason: data.refundFailReason,
  }
}

/**
 * The body of `request.status.updated`: what `JSON.stringify` writes, so that a receiver which parses and writes it again
 * has the same bytes (wire.md 5.2). The same for every delivery of the event.
 */
export const statusEventBody = (event: Pick<OutboxEvent, 'payload' | 'createdAt'>): string =>
  JSON.stringify({ event: STATUS_EVENT, timestamp: event.createdAt, data: statusEventData(event) })

/** The event's id, a UUID: made of the request and its version, so that every host and every replay tells the same. */
export const statusEventId = ({ requestId, version }: Pick<OutboxEvent, 'requestId' | 'version'>): string => {
  const bytes = createHash('sha256').update(`${STATUS_EVENT} ${requestId} ${version}`).digest().subarray(0, 16)
  // Version 8 (made of a hash of one's own choice) and the variant of RFC 9562.
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
