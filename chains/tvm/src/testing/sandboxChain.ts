import { depositoryBytecode } from '@causeway/contracts-abi'
import type { CurrencyConfig } from '@causeway/core/chain'
import { type DeploymentPlan, type LocalChain, type SandboxChain, wholeUnits } from '@causeway/core/testing'
import { depositKeyOf } from '../depositAddress/depositAddresses.js'
import { deployContract } from './node/localTron.js'
import { isTokenKind, tokenPlan } from './tokens/tokenPlans.js'
import { words } from './tokens/words.js'

/** As configurations list it. */
export const NATIVE_CURRENCY: CurrencyConfig = {
  address: 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb',
  symbol: 'TRX',
  name: 'TRON',
  decimals: 6,
  groupId: 'trx',
}

const POLL_MS = 200
/** Sun that the allocator gets for fees. */
const FLOAT = 1_000_000_000n

/** Deposits go to the contract `Depository`, from which the key of the allocator releases them. */
export const sandboxChain: SandboxChain = {
  processWord: 'openLocalTron',
  allocator: 'shared',
  hasTokens: true,
  deploy: async (chain, plan) => {
    const { address: owner } = plan.allocator
    const depository = await deployContract(chain, {
      bytecode: depositoryBytecode + words(owner, owner),
      name: 'Depository',
    })
    const currencies: CurrencyConfig[] = []
    for (const { standard = 'standard', ...token } of plan.tokens) {
      if (!isTokenKind(standard)) throw new Error(`There is no kind of token "${standard}" on Tron`)
      currencies.push({ ...token, address: await deployContract(chain, tokenPlan({ ...token, kind: standard })) })
    }
    await fundAll(chain, plan, currencies)
    return {
      depository,
      options: {
        ...{ depository, genesisHash: (await chain.genesisHash()).replace(/^0x/, ''), pollIntervalMs: POLL_MS },
        ...(plan.seed === undefined ? {} : { depositKey: depositKeyOf(plan.seed) }),
      },
      currencies: [NATIVE_CURRENCY, ...currencies],
      unlisted: [],
    }
  },
}

/** Gives solver, allocator and users what the plan says. */
const fundAll = async (
  chain: LocalChain,
  { payout, allocator, users, solverHolds, userHolds }: DeploymentPlan,
  currencies: readonly CurrencyConfig[],
): Promise<void> => {
  await chain.fund(allocator.address, FLOAT)
  const holders = [{ address: payout.address, ...solverHolds }, ...users.map((address) => ({ address, ...userHolds }))]
  for (const { address, native, token } of holders) {
    if (native > 0n) await chain.fund(address, wholeUnits(native, NATIVE_CURRENCY.decimals))
    for (const { address: currency, decimals } of token > 0n ? currencies : []) {
      await chain.fund(address, wholeUnits(token, decimals), currency)
    }
  }
}
