import { type Hex, isHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const WORD = 66

/** An EIP-191 signature. 32 bytes in hex are signed as bytes, as the service asks of claims; everything else as text. */
export const signText = (privateKey: string, message: string): Promise<Hex> => {
  const isWord = isHex(message) && message.length === WORD
  // CAST: accounts of the sandbox's EVM chains have keys in hex.
  return privateKeyToAccount(privateKey as Hex).signMessage({ message: isWord ? { raw: message } : message })
}
