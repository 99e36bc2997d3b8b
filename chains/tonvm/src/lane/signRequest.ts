import { type Hex, type Json, ServiceError } from '@causeway/core'
import { type Signer, signChecked } from '@causeway/core/chain'
import { beginCell, external, type MessageRelaxed, SendMode, storeMessage } from '@ton/core'
import type { WalletContractV5R1 } from '@ton/ton/dist/wallets/v5r1/WalletContractV5R1.js'
import { walletOfKey } from '../address/wallets.js'
import { type CarriedRequest, type MessageForm, type PreparedRequest, relaxedMessage } from '../payout/paymentForm.js'
import { signedLocator } from './accountReading.js'
import { externalHash } from './walletRequest.js'

/** A wallet v5r1 takes no other mode from outside: the wallet pays the fees, and errors are ignored. */
const MODE: SendMode = SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS

/** Has a message return where an action of its transaction fails. */
const BOUNCE_ON_FAILURE = 16

/** The wallet of an ed25519 key. @throws ServiceError SERVICE_UNAVAILABLE for a key of another kind */
export const walletOf = ({ scheme, publicKey }: Signer, networkId: number): WalletContractV5R1 => {
  if (scheme === 'ed25519') return walletOfKey(publicKey, networkId)
  throw new ServiceError('SERVICE_UNAVAILABLE', 'The key of this chain must be an ed25519 key.')
}

export interface SigningKeys {
  readonly networkId: number
  /** Key of the wallet that takes the number. */
  readonly signer: Signer
  /** Key of the deposit address whose request is carried. */
  ownerOf(carried: CarriedRequest): Signer
}

/**
 * Signs a request of a wallet. Its id is the hash of the external message in the form of TEP-467.
 * @throws ServiceError SERVICE_UNAVAILABLE when a signer does not sign, or signs something else
 */
export const signRequest = async (
  { account, seqno, until, messages }: PreparedRequest,
  { networkId, signer, ownerOf }: SigningKeys,
): Promise<{ readonly txId: string; readonly raw: Hex; readonly locator: Json }> => {
  const sign = (hash: Uint8Array) => signChecked(signer, hash)
  const carry = (carried: CarriedRequest, message: MessageForm) =>
    carrying(message, { ...carried, until, wallet: walletOf(ownerOf(carried), networkId), signer: ownerOf(carried) })
  const signed = await Promise.all(
    messages.map((each) => (each.carried === undefined ? relaxedMessage(each) : carry(each.carried, each))),
  )
  const { hash, boc } = await requestMessage(walletOf(signer, networkId), { seqno, until, messages: signed }, sign)
  return { txId: hash, raw: `0x${boc.toString('hex')}`, locator: signedLocator(account, BigInt(seqno)) }
}

/** The external message of a request: its hash and its bytes. */
export const requestMessage = async (
  wallet: WalletContractV5R1,
  { seqno, until, messages }: Pick<PreparedRequest, 'seqno' | 'until'> & { readonly messages: MessageRelaxed[] },
  sign: (hash: Uint8Array) => Promise<Uint8Array>,
) => {
  const body = await wallet.createTransfer({
    ...{ seqno: Number(seqno), timeout: Number(until), sendMode: MODE, messages },
    signer: async (request) => Buffer.from(await sign(request.hash())),
  })
  const message = external({ to: wallet.address, init: seqno === '0' ? wallet.init : null, body })
  return { hash: externalHash(message), boc: beginCell().store(storeMessage(message)).endCell().toBoc() }
}

/** The message that brings the wallet of a deposit address its signed request, and its code where the wallet has none yet. */
const carrying = async (
  message: MessageForm,
  { seqno, until, message: asked, wallet, signer }: CarriedSigning,
): Promise<MessageRelaxed> => {
  const body = await wallet.createTransfer({
    // A request that cannot be carried out as a whole has no effect, and its nanotons come back.
    ...{ authType: 'internal', sendMode: SendMode.PAY_GAS_SEPARATELY | BOUNCE_ON_FAILURE },
    ...{ seqno: Number(seqno), timeout: Number(until), messages: [relaxedMessage(asked)] },
    signer: async (request) => Buffer.from(await signChecked(signer, request.hash())),
  })
  return relaxedMessage(message, { body, ...(seqno === '0' && { init: wallet.init }) })
}

interface CarriedSigning extends Pick<CarriedRequest, 'seqno' | 'message'> {
  readonly until: string
  readonly wallet: WalletContractV5R1
  readonly signer: Signer
}
