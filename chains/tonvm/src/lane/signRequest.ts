import { type Hex, type Json, ServiceError } from '@causeway/core'
import { type Signer, signChecked } from '@causeway/core/chain'
import { SendMode } from '@ton/core'
import type { WalletContractV5R1 } from '@ton/ton/dist/wallets/v5r1/WalletContractV5R1.js'
import { walletOfKey } from '../address/wallets.js'
import { type PreparedRequest, relaxedMessage } from '../payout/paymentForm.js'
import { signedLocator } from './accountReading.js'
import { externalMessage } from './externalMessage.js'

/** A wallet v5r1 takes no other mode from outside: the wallet pays the fees, and errors are ignored. */
const MODE: SendMode = SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS

/** The wallet of an ed25519 key. @throws ServiceError SERVICE_UNAVAILABLE for a key of another kind */
export const walletOf = ({ scheme, publicKey }: Signer, networkId: number): WalletContractV5R1 => {
  if (scheme === 'ed25519') return walletOfKey(publicKey, networkId)
  throw new ServiceError('SERVICE_UNAVAILABLE', 'The key of this chain must be an ed25519 key.')
}

/**
 * Signs a request of a wallet. Its id is the hash of the external message in the form of TEP-467.
 * @throws ServiceError SERVICE_UNAVAILABLE when a signer does not sign, or signs something else
 */
export const signRequest = async (
  { account, seqno, until, messages }: PreparedRequest,
  { networkId, signer }: { readonly networkId: number; readonly signer: Signer },
): Promise<{ readonly txId: string; readonly raw: Hex; readonly locator: Json }> => {
  const sign = (hash: Uint8Array) => signChecked(signer, hash)
  const { hash, boc } = await requestMessage(walletOf(signer, networkId), { seqno, until, messages }, sign)
  return { txId: hash, raw: `0x${boc.toString('hex')}`, locator: signedLocator(account, BigInt(seqno)) }
}

/** The external message of a request: its hash and its bytes. */
export const requestMessage = async (
  wallet: WalletContractV5R1,
  { seqno, until, messages }: Omit<PreparedRequest, 'account'>,
  sign: (hash: Uint8Array) => Promise<Uint8Array>,
) => {
  const body = await wallet.createTransfer({
    ...{ seqno: Number(seqno), timeout: Number(until), sendMode: MODE, messages: messages.map(relaxedMessage) },
    signer: async (request) => Buffer.from(await sign(request.hash())),
  })
  return externalMessage(wallet, body, seqno === '0')
}
