import { type EnvironmentVariables, environmentOf, systemClock } from '@causeway/core'
import type { ChainAdapter, ChainConfig, ChainPackage, Signer } from '@causeway/core/chain'
import { pino } from 'pino'
import { schemaProblems } from '../config/schema/schemaProblems.js'

/** What of a chain decides how its addresses are written. */
type PayingChain = Pick<ChainConfig, 'id' | 'slug' | 'name' | 'options'>

/** Never asked. */
const NOBODY = 'http://127.0.0.1:1'

/**
 * Address that a key pays from on a chain, as the lane of its adapter derives it; no node is asked. Null where options are missing
 * that the adapter needs: the solver's host then tells the address when it starts.
 */
export const payoutAddress = async (
  chainPackage: ChainPackage,
  chain: PayingChain,
  signer: Signer,
  environment: EnvironmentVariables,
): Promise<string | null> => {
  const adapter = await adapterOf(chainPackage, chain, environment)
  if (adapter === null) return null
  try {
    return adapter.lane.addressOf(signer)
  } finally {
    await adapter.stop()
  }
}

const adapterOf = async (
  chainPackage: ChainPackage,
  { id, slug, name, options: given }: PayingChain,
  variables: EnvironmentVariables,
): Promise<ChainAdapter | null> => {
  // Defaults are filled in where it is checked.
  const options = structuredClone(given)
  if (schemaProblems(chainPackage.options, options, '').length > 0) return null
  const config: ChainConfig = {
    ...{ id, slug, name, options, package: chainPackage.name, rpc: [{ http: NOBODY }] },
    ...{ currencies: [], solver: '', enabled: true },
    confirmations: { fill: 1, success: 1, settle: 1, settleSeconds: 0 },
  }
  const deps = { config, clock: systemClock, logger: pino({ level: 'silent' }), environment: environmentOf(variables) }
  try {
    return await chainPackage.create(options, deps)
  } catch {
    return null
  }
}
