import type { Diagnosis } from '@causeway/core/chain'
import type { JsonRpcEndpoint, RpcOutcome } from '@causeway/core/chain-kit'
import { ZERO_ADDRESS } from '../../address/addresses.js'
import { encodeBalanceOf } from '../../payout/contracts/staticCall.js'
import { allowanceCall, firstWord } from '../balances.js'
import type { DiagnoseDeps } from './diagnoseDeps.js'

/** Tokens of the solver that a router moves: with calls or a top-up the fill router, with swaps the swap router. */
export const diagnoseAllowances = async (
  endpoint: JsonRpcEndpoint,
  { config, settings }: Pick<DiagnoseDeps, 'config' | 'settings'>,
): Promise<readonly Diagnosis[]> => {
  const { fillRouter, swap } = settings
  const routers = [
    ...(fillRouter === null ? [] : [{ name: 'fill router', address: fillRouter, use: 'calls or a top-up' }]),
    ...(swap === null ? [] : [{ name: 'swap router', address: swap.router, use: 'swaps' }]),
  ]
  const tokens = config.currencies.filter(({ address }) => address.toLowerCase() !== ZERO_ADDRESS)
  const pairs = tokens.flatMap((token) => routers.map((router) => ({ token, router })))
  if (pairs.length === 0) return []
  const outcomes = await endpoint.batch(
    pairs.flatMap(({ token, router }) => [
      allowanceCall(config.solver, token.address, router.address),
      { method: 'eth_call', params: [{ to: token.address, data: encodeBalanceOf(config.solver) }, 'latest'] },
    ]),
  )
  const number = (outcome: RpcOutcome | undefined) => (outcome?.ok === true ? firstWord(String(outcome.result)) : 0n)
  return pairs.map(({ token, router }, at): Diagnosis => {
    const [allowance, balance] = [number(outcomes[2 * at]), number(outcomes[2 * at + 1])]
    const shared = { check: 'router allowance', subject: `${config.slug} ${token.symbol} ${router.name}` }
    if (allowance > 0n && allowance >= balance)
      return { ...shared, state: 'ok', message: 'may take what the solver holds' }
    return {
      ...shared,
      state: 'warning',
      message: `may not take what the solver holds: payouts of ${token.symbol} with ${router.use} are refused`,
      remedy: `Send approve(${router.address}, amount) to the token ${token.address} from the solver's account ${config.solver}.`,
    }
  })
}
