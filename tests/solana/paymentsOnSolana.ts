import { PublicKey } from '@solana/web3.js'
import type { CrossNetwork } from './crossNetwork.js'

/** How often the chain shows a payment of an order by the solver, by purpose and order id as its memo says. */
export const paymentsOnSolana = async (network: CrossNetwork): Promise<ReadonlyMap<string, number>> => {
  const { connection } = network.svm
  const counts = new Map<string, number>()
  const address = new PublicKey(network.solvers.svm.address)
  for (let before: string | undefined; ; ) {
    const page = await connection.getSignaturesForAddress(
      address,
      { limit: 1000, ...(before ? { before } : {}) },
      'confirmed',
    )
    for (const { err, memo } of page) {
      const [, orderId, purpose = 'fill'] = memo?.match(/(0x[0-9a-f]{64})(?: ([a-z]+))? #/) ?? []
      if (err === null && orderId !== undefined)
        counts.set(`${purpose} ${orderId}`, (counts.get(`${purpose} ${orderId}`) ?? 0) + 1)
    }
    before = page.at(-1)?.signature
    if (page.length < 1000) return counts
  }
}
