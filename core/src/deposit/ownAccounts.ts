import type { DepositEvent } from '../chain/chainAdapter.js'
import type { Chain } from '../chain/chainRegistry.js'

type Parties = Pick<DepositEvent, 'depositor' | 'source'>

/**
 * Whether a deposit names an account that pays with this deployment's keys, the solver's or the depository, as its depositor or source:
 * an adapter took a payment or withdrawal of ours for a deposit, or a sender named our account. Sources of sweeps and swaps are deposit
 * addresses and routers, which do not count.
 */
export const isOwnDeposit = ({ config, adapter }: Chain, { depositor, source }: Parties): boolean => {
  const accounts = [config.solver, ...(config.formerSolvers ?? []), adapter.depository]
  const parties = [depositor, source ?? ''].map(addressIn).filter((address) => address !== '')
  return parties.some((party) => accounts.some((own) => own === party || adapter.sameAddress(own, party)))
}

/** The account of a text that may name a tag or memo behind it. */
const addressIn = (text: string): string => text.split('?', 1)[0] ?? ''
