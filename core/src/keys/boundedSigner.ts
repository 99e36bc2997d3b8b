import type { Signer } from '../chain/signer.js'
import { ServiceError } from '../errors/serviceError.js'

/**
 * The same signer with an end to its patience. What it signs after that time is dropped: nobody has stored it, so nobody
 * sends it (faults.md F113). `sign` throws ServiceError SERVICE_UNAVAILABLE then.
 */
export const boundedSigner = (signer: Signer, milliseconds: number): Signer => ({
  scheme: signer.scheme,
  publicKey: signer.publicKey,
  sign: async (digest) => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      const error = new ServiceError(
        'SERVICE_UNAVAILABLE',
        `A signer of this service took longer than ${milliseconds} ms.`,
      )
      timer = setTimeout(() => reject(error), milliseconds)
    })
    try {
      return await Promise.race([signer.sign(digest), late])
    } finally {
      clearTimeout(timer)
    }
  },
})
