import { type Connection, PublicKey } from '@solana/web3.js'

/** How often the chain shows a payment of an order by the solver, by purpose and order id as its memo says. */
export const paymentsOnSolana = async (solver: {
  readonly connection: Connection
  readonly address: string
}): Promise<ReadonlyMap<string, number>> => {
  const { connection } = solver
  const counts = new Map<string, number>()
  const address = new PublicKey(solver.address)
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
