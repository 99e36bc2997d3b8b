import { ServiceError } from '@causeway/core'
import { witnessLanes } from '@causeway/core/money-path'
import { ActionRefusedError } from '@causeway/core/plugin'
import type { OperatorDeps } from '../operatorDeps.js'

/** Chains of which it cannot be known now what their payout keys paid, with the reason. */
export const readWitnesses = async (
  deps: OperatorDeps,
): Promise<readonly { readonly chain: string; readonly why: string }[]> => {
  const answers = await Promise.all(
    deps.chains.all().map(async (chain) => {
      const why = await deps
        .withChain(chain, () => witnessLanes(deps, chain))
        .catch((error: unknown) => (ServiceError.is(error) ? error.message : 'No node of it could be asked.'))
      return why === null ? [] : [{ chain: chain.config.slug, why }]
    }),
  )
  return answers.flat()
}

/**
 * Before an operator's word pays or promises anything, every chain is read for what its payout keys sent that this database does
 * not know: after a restore an order may have been paid on any of them (F120). Throws ActionRefusedError while one cannot be read.
 */
export const requireWitnesses = async (deps: OperatorDeps): Promise<void> => {
  const silent = await readWitnesses(deps)
  if (silent.length === 0) return
  throw new ActionRefusedError(
    `It is not yet known whether this was paid already. What the payout keys sent cannot be read whole on ${silent
      .map(({ chain, why }) => `${chain} (${why.replace(/\.$/, '')})`)
      .join(', ')}. Nothing was done; try again when it can.`,
  )
}
