import { type Address, beginCell, type Cell, type Slice } from '@ton/core'

const TRANSFER = 0x0f8a7ea5
const NOTIFICATION = 0x7362d09c
const INTERNAL_TRANSFER = 0x178d4519

/** A transfer of jettons (TEP-74), which the owner's wallet sends to its jetton wallet. */
export interface JettonTransfer {
  readonly queryId: bigint
  readonly amount: bigint
  readonly recipient: Address
  /** Receives the nanotons that are left. */
  readonly responseTo: Address
  /** Nanotons of the notification; with 0 the recipient is not notified. */
  readonly forwardValue: bigint
  readonly forwardPayload: Cell
}

export const jettonTransferBody = (transfer: JettonTransfer): Cell =>
  beginCell()
    .storeUint(TRANSFER, 32)
    .storeUint(transfer.queryId, 64)
    .storeCoins(transfer.amount)
    .storeAddress(transfer.recipient)
    .storeAddress(transfer.responseTo)
    .storeMaybeRef(null)
    .storeCoins(transfer.forwardValue)
    .storeBit(true)
    .storeRef(transfer.forwardPayload)
    .endCell()

/** The message by which a jetton wallet reports to its owner what arrived. */
export interface JettonNotification {
  readonly amount: bigint
  /** Null: the jettons were minted. */
  readonly sender: Address | null
  readonly payload: Slice
}

/** Reads a body of an operation behind its query id; null for any other body. */
const readBodyOf = <T>(body: Cell, operation: number, read: (slice: Slice) => T): T | null => {
  try {
    const slice = body.beginParse()
    return slice.remainingBits >= 96 && slice.loadUint(32) === operation ? read(slice.skip(64)) : null
  } catch {
    return null
  }
}

/** The payload is in a reference, or follows in the body. */
const payloadIn = (slice: Slice): Slice => (slice.loadBit() ? slice.loadRef().beginParse() : slice)

/** Reads a notification; null for any other body. The caller must check its source, because any account can send such a body. */
export const readNotification = (body: Cell): JettonNotification | null =>
  readBodyOf(body, NOTIFICATION, (slice) => {
    const [amount, sender] = [slice.loadCoins(), slice.loadMaybeAddress()]
    return { amount, sender, payload: payloadIn(slice) }
  })

/** Reads a transfer; null for any other body. */
export const readTransfer = (body: Cell) =>
  readBodyOf(body, TRANSFER, (slice) => {
    const [amount, recipient] = [slice.loadCoins(), slice.loadAddress()]
    slice.loadAddress()
    slice.loadMaybeRef()
    slice.loadCoins()
    return { amount, recipient, payload: payloadIn(slice) }
  })

/** Amount that one jetton wallet sends another; null for any other body. */
export const internalTransferAmount = (body: Cell): bigint | null =>
  readBodyOf(body, INTERNAL_TRANSFER, (slice) => slice.loadCoins())
