import type { Signer } from '../../chain/signer.js'
import { recoverPublicKey } from '../../keys/secp256k1Curve.js'
import { signChecked } from '../../keys/signChecked.js'
import type { Hex } from '../../money/hex.js'
import { bytesToHex } from '../../order/hexBytes.js'
import { keccak256 } from '../../order/keccak256.js'
import { hashPersonalMessage } from '../../signature/personalMessage.js'
import { addressOfPublicKey } from '../../signature/recoverAddress.js'

const SIGNATURE = /^0x[0-9a-f]{130}$/

/** What an operator's key signs: a personal message (EIP-191), so that no transaction and no payout of ours is ever signed by it. */
const digestOf = (text: string): Uint8Array => hashPersonalMessage(new TextEncoder().encode(text), keccak256)

/** Address of an operator's key, as `wallet.operators` of the configuration names it. */
export const operatorAddress = ({ publicKey }: Signer): Hex => addressOfPublicKey(publicKey, keccak256)

/** @throws ServiceError when the key does not sign, or Error when it is no secp256k1 key */
export const signWalletOrder = async (text: string, operator: Signer): Promise<Hex> => {
  if (operator.scheme !== 'secp256k1') throw new Error('An operator signs with a secp256k1 key.')
  return bytesToHex(await signChecked(operator, digestOf(text)))
}

/** Lower-case address of the key that signed the text; null where none did. */
export const signerOfOrder = async (text: string, signature: string): Promise<Hex | null> => {
  if (!SIGNATURE.test(signature)) return null
  const publicKey = await recoverPublicKey(digestOf(text), Buffer.from(signature.slice(2), 'hex'))
  return publicKey === null ? null : addressOfPublicKey(publicKey, keccak256)
}
