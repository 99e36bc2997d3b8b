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

/** Reads a notification; null for any other body. The caller must check its source, because any account can send such a body. */
export const readNotification = (body: Cell): JettonNotification | null => {
  try {
    const slice = body.beginParse()
    if (slice.remainingBits < 32 || slice.loadUint(32) !== NOTIFICATION) return null
    slice.skip(64)
    const amount = slice.loadCoins()
    const sender = slice.loadMaybeAddress()
    // The payload is in a reference, or follows in the body.
    const payload = slice.loadBit() ? slice.loadRef().beginParse() : slice
    return { amount, sender, payload }
  } catch {
    return null
  }
}

/** Reads a transfer; null for any other body. */
export const readTransfer = (body: Cell) => {
  try {
    const slice = body.beginParse()
    if (slice.remainingBits < 32 || slice.loadUint(32) !== TRANSFER) return null
    const [amount, recipient] = [slice.skip(64).loadCoins(), slice.loadAddress()]
    slice.loadAddress()
    slice.loadMaybeRef()
    slice.loadCoins()
    return { amount, recipient, payload: slice.loadBit() ? slice.loadRef().beginParse() : slice }
  } catch {
    return null
  }
}

/** Amount that one jetton wallet sends another; null for any other body. */
export const internalTransferAmount = (body: Cell): bigint | null => {
  const slice = body.beginParse()
  if (slice.remainingBits < 96 + 4 || slice.loadUint(32) !== INTERNAL_TRANSFER) return null
  return slice.skip(64).loadCoins()
}
