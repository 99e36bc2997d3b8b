import { withinTime } from '../chain/endpoint/timeLimit.js'
import type { Signer } from '../chain/signer.js'
import { ServiceError } from '../errors/serviceError.js'

/** Long for a signature over the network, short for a caller that waits. */
export const SIGN_TIMEOUT_MS = 5_000

/**
 * The same signer with an end to its patience. What it signs after that time is dropped: nobody has stored it, so nobody
 * sends it (faults.md F113). After such a wait it is left alone for as long, so that callers who come one after another do not
 * each wait. `sign` throws ServiceError SERVICE_UNAVAILABLE then.
 */
export const boundedSigner = (signer: Signer, milliseconds: number = SIGN_TIMEOUT_MS): Signer => {
  let restUntil = 0
  const tooSlow = () =>
    new ServiceError('SERVICE_UNAVAILABLE', `A signer of this service took longer than ${milliseconds} ms.`)
  const deadline = () => {
    restUntil = performance.now() + milliseconds
    return tooSlow()
  }
  return {
    scheme: signer.scheme,
    publicKey: signer.publicKey,
    sign: async (digest) => {
      if (performance.now() < restUntil) throw tooSlow()
      return withinTime(milliseconds, signer.sign(digest), deadline)
    },
  }
}
