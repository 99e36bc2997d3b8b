import type { CurrencyConfig } from '@causeway/core/chain'
import { type DeploymentPlan, type SandboxChain, wholeUnits } from '@causeway/core/testing'
import { NATIVE } from '../address/addresses.js'
import { poolKeyOf } from '../depositAddress/addressKeys.js'
import { adoptLocalSvm, type LocalSvmChain } from './node/localSvm.js'
import type { TokenOptions } from './node/localTokens.js'

/** As configurations list it. */
export const NATIVE_CURRENCY: CurrencyConfig = {
  address: NATIVE,
  symbol: 'SOL',
  name: 'Solana',
  decimals: 9,
  groupId: 'sol',
}

const POLL_MS = 200

/** Deposits go to the account of the allocator's key, and addresses are keys of a seed, so nothing but tokens is deployed. */
export const sandboxChain: SandboxChain = {
  processWord: 'openLocalNode',
  allocator: 'own',
  hasTokens: true,
  deploy: async ({ endpoint, pid }, plan) => {
    const chain = await adoptLocalSvm({ rpcUrl: endpoint.http, pid: pid ?? 0 })
    const tokens = await makeTokens(chain, plan)
    const depository = plan.allocator.address
    const { genesisHash } = chain
    return {
      depository,
      options: {
        ...{ depository, genesisHash, startSlot: 0, pollIntervalMs: POLL_MS },
        ...(plan.seed === undefined ? {} : { depositPoolKey: poolKeyOf(plan.seed) }),
      },
      currencies: [NATIVE_CURRENCY, ...tokens],
      unlisted: [],
    }
  },
}

/** @throws Error when the chain has no such token program */
const programOf = (standard: string | undefined): Pick<TokenOptions, 'program'> => {
  if (standard === undefined) return {}
  if (standard === 'token' || standard === 'token-2022') return { program: standard }
  throw new Error(`Solana has no token program "${standard}".`)
}

/** Makes the tokens and gives every party what it is to hold. */
const makeTokens = async (chain: LocalSvmChain, plan: DeploymentPlan): Promise<readonly CurrencyConfig[]> => {
  const tokens: CurrencyConfig[] = []
  for (const { standard, ...token } of plan.tokens) {
    const address = await chain.createToken({ decimals: token.decimals, ...programOf(standard) })
    tokens.push({ ...token, address })
  }
  const solver = { address: plan.payout.address, ...plan.solverHolds }
  for (const holder of [solver, ...plan.users.map((address) => ({ address, ...plan.userHolds }))]) {
    await chain.fund(holder.address, wholeUnits(holder.native, NATIVE_CURRENCY.decimals))
    for (const { address, decimals } of tokens) {
      await chain.fund(holder.address, wholeUnits(holder.token, decimals), address)
    }
  }
  return tokens
}
