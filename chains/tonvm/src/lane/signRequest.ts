import { type Hex, type Json, ServiceError } from '@causeway/core'
import { type DepositAddress, type Signer, signChecked } from '@causeway/core/chain'
import { type Cell, SendMode } from '@ton/core'
import { type Wallet, walletOfKey } from '../address/wallets.js'
import { type MessageForm, type PreparedMessage, type PreparedRequest, relaxedMessage } from '../payout/paymentForm.js'
import { signedLocator } from './accountReading.js'
import { externalMessage } from './externalMessage.js'
import { cellOfBase64, requestCell, signedBody, WALLET_OPS, type WalletMessage } from './walletRequest.js'

/** A wallet v5r1 takes no other mode from outside: the wallet pays the fees, and errors are ignored. */
const MODE: SendMode = SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS

/** The wallet of an ed25519 key. @throws ServiceError SERVICE_UNAVAILABLE for a key of another kind */
export const walletOf = ({ scheme, publicKey }: Signer, networkId: number): Wallet => {
  if (scheme === 'ed25519') return walletOfKey(publicKey, networkId)
  throw new ServiceError('SERVICE_UNAVAILABLE', 'The key of this chain must be an ed25519 key.')
}

export interface RequestKeys {
  readonly networkId: number
  /** Key of the wallet that takes the number. */
  readonly signer: Signer
  /** Key of a deposit address. @throws ServiceError without the seed */
  keyOf(address: DepositAddress): Signer
}

/**
 * Signs a request of a wallet. Its id is the hash of the external message in the form of TEP-467.
 * @throws ServiceError SERVICE_UNAVAILABLE when a signer does not sign, or signs something else
 */
export const signRequest = async (
  { account, seqno, until, messages }: PreparedRequest,
  keys: RequestKeys,
): Promise<{ readonly txId: string; readonly raw: Hex; readonly locator: Json }> => {
  const wallet = walletOf(keys.signer, keys.networkId)
  const signed = await Promise.all(messages.map((message) => messageOf(message, BigInt(until), keys)))
  const request = { op: WALLET_OPS.external, walletId: wallet.walletId, seqno: BigInt(seqno), until: BigInt(until) }
  const body = await bodyOf({ ...request, messages: signed }, keys.signer)
  const { hash, boc } = externalMessage(wallet, body, BigInt(seqno) === 0n)
  return {
    txId: hash,
    raw: `0x${boc.toString('hex')}`,
    locator: signedLocator(account, BigInt(seqno)),
  }
}

const bodyOf = async (request: Parameters<typeof requestCell>[0], signer: Signer): Promise<Cell> => {
  const cell = requestCell(request)
  return signedBody(cell, await signChecked(signer, cell.hash()))
}

const messageOf = async (prepared: PreparedMessage, until: bigint, keys: RequestKeys): Promise<WalletMessage> => {
  if (prepared.kind === 'pay') return { message: relaxed(prepared.message), mode: MODE }
  const signer = keys.keyOf(prepared.address)
  const { address, walletId, init } = walletOf(signer, keys.networkId)
  const seqno = BigInt(prepared.seqno)
  const inner = { message: relaxed(prepared.message), mode: MODE }
  const body = await bodyOf({ op: WALLET_OPS.internal, walletId, seqno, until, messages: [inner] }, signer)
  const terms = { to: address, value: prepared.value, isBounceable: false, body }
  return { message: relaxedMessage(terms, seqno === 0n ? init : null), mode: MODE }
}

const relaxed = (form: MessageForm) => relaxedMessage({ ...form, body: cellOfBase64(form.body) })
