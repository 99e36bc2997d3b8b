import {
  beginCell,
  type Cell,
  loadOutList,
  type MessageRelaxed,
  type OutActionSendMsg,
  type SendMode,
  storeOutList,
} from '@ton/core'

/** Operations of a wallet v5r1: signed requests in an external and in an internal message. */
export const WALLET_OPS = { external: 0x7369676e, internal: 0x73696e74 } as const

const SIGNATURE_BYTES = 64
const SIGNATURE_BITS = 512

/** A request to a wallet v5r1, without its signature. */
export interface WalletRequest {
  readonly op: number
  readonly walletId: number
  readonly seqno: bigint
  /** Unix seconds: the last at which the wallet takes the request. */
  readonly until: bigint
  readonly messages: readonly WalletMessage[]
}

/** A message that the wallet is to send. */
export interface WalletMessage {
  readonly message: MessageRelaxed
  readonly mode: SendMode
}

/** The cell whose hash is signed. The clients of `@ton/ton` leave out the expiry of a first request, so none of them makes it. */
export const requestCell = ({ op, walletId, seqno, until, messages }: WalletRequest): Cell => {
  const actions = messages.map(({ message, mode }): OutActionSendMsg => ({ type: 'sendMsg', mode, outMsg: message }))
  return beginCell()
    .storeUint(op, 32)
    .storeUint(walletId, 32)
    .storeUint(until, 32)
    .storeUint(seqno, 32)
    .storeMaybeRef(beginCell().store(storeOutList(actions)).endCell())
    .storeBit(false)
    .endCell()
}

/** The body of a message: the request with its signature at the end. */
export const signedBody = (request: Cell, signature: Uint8Array): Cell =>
  beginCell()
    .storeSlice(request.beginParse())
    .storeBuffer(Buffer.from(signature).subarray(0, SIGNATURE_BYTES))
    .endCell()

/** Reads a signed request; null for any other body. */
export const readRequest = (body: Cell): WalletRequest | null => {
  try {
    const slice = body.beginParse()
    const op = slice.loadUint(32)
    if (op !== WALLET_OPS.external && op !== WALLET_OPS.internal) return null
    const walletId = slice.loadUint(32)
    const until = BigInt(slice.loadUint(32))
    const seqno = BigInt(slice.loadUint(32))
    const list = slice.loadMaybeRef()
    if (slice.remainingBits < SIGNATURE_BITS) return null
    const actions = list === null ? [] : loadOutList(list.beginParse())
    const messages = actions.flatMap((action) =>
      action.type === 'sendMsg' ? [{ message: action.outMsg, mode: action.mode }] : [],
    )
    return { op, walletId, seqno, until, messages }
  } catch {
    return null
  }
}
