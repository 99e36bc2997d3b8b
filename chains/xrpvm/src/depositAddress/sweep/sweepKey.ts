import { bytesToHex, ServiceError } from '@causeway/core'
import { createSecp256k1Signer, type Signer } from '@causeway/core/chain'
import { depositAccountOf } from '../depositAccountKey.js'

/**
 * The key of the account of deposit addresses, which signs its sweeps.
 * @throws ServiceError SERVICE_UNAVAILABLE without the seed, or where it is not the one of the account
 */
export const sweepSigner = (
  { account, chainId }: { readonly account: string; readonly chainId: number },
  seed: Uint8Array | undefined,
): Signer => {
  if (seed === undefined) throw refused('A deposit address is swept with the seed of its account (keys.hd) only.')
  const { privateKey, address } = depositAccountOf(seed, chainId)
  if (address !== account)
    throw refused('options.depositAccount is not the account of the key "hd", so its tags cannot be swept.')
  return createSecp256k1Signer(bytesToHex(privateKey))
}

const refused = (message: string): ServiceError => new ServiceError('SERVICE_UNAVAILABLE', message)
