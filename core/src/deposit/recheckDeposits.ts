import type { Pool } from 'pg'
import type { DepositEvidence } from '../chain/chainAdapter.js'
import type { DepositReference } from '../chain/chainReferences.js'
import type { Chain } from '../chain/chainRegistry.js'
import { withRetries } from '../database/pool.js'
import { DepositReorg } from './depositReorg.js'
import { findDeposits } from './depositStore.js'

/**
 * Asks all providers for deposits that one of them may have shown wrongly, and moves what is stored to where they say it is: away, or
 * to the amount that most show (faults.md F05). With `absence` off what none of them shows stays as it is: they may be late.
 * Throws ServiceError while too few answer, or they differ.
 */
export const recheckDeposits = async (
  deps: { readonly pool: Pool; readonly chain: Chain },
  references: readonly DepositReference[],
  now: number,
  { absence = true }: { readonly absence?: boolean } = {},
): Promise<void> => {
  const { pool, chain } = deps
  if (references.length === 0) return
  const said = await chain.adapter.recheckDeposits(references)
  const evidence = said.filter(({ finding }) => absence || finding === 'present')
  const ids = [...new Set(references.map(({ tx }) => tx.id))]
  await withRetries(pool, async (client) => {
    const stored = await findDeposits(client, chain.config.id, ids)
    const reorg = new DepositReorg({ client, chain, now })
    for (const deposit of stored) {
      const item = evidence.find((found) => isOf(found, deposit))
      if (item !== undefined) await reorg.apply(deposit, item)
    }
  })
}

const isOf = (
  { tx, position }: DepositEvidence,
  deposit: { readonly txId: string; readonly position: number },
): boolean => tx.id === deposit.txId && position === deposit.position
