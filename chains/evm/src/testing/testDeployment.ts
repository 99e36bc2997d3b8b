import { environmentOf, systemClock } from '@causeway/core'
import type { ChainConfig, CurrencyConfig, RpcEndpoint } from '@causeway/core/chain'
import { pino } from 'pino'
import { type EvmAdapter, evmAdapter } from '../adapter.js'
import type { EvmOptions } from '../options.js'
import type { EvmHooks } from '../parts.js'
import { allowRouters } from './allowRouters.js'
import type { LocalAccount, LocalEvmChain } from './node/localChain.js'
import { startPreparedChain } from './node/preparedChain.js'

/** A local chain with the contracts, one token, and roles given to its accounts. */
export interface TestDeployment {
  readonly chain: LocalEvmChain
  readonly depository: string
  readonly fillRouter: string
  readonly swapRouter: string
  readonly depositAddressFactory: string
  readonly permitRouter: string
  readonly token: string
  /** Adapter over this chain; other endpoints or options may be given. Not started. */
  adapter(changes?: {
    readonly rpc?: readonly RpcEndpoint[]
    readonly options?: Partial<EvmOptions>
    readonly confirmations?: Partial<ChainConfig['confirmations']>
    readonly currencies?: readonly CurrencyConfig[]
    readonly hooks?: EvmHooks
    readonly originSender?: string
  }): EvmAdapter
  /** Lets both routers take the tokens of an account. */
  allowRouters(account: LocalAccount, tokens: readonly string[]): Promise<void>
}

const deploy = async (chain: LocalEvmChain) => {
  const [user, solver, allocator] = chain.accounts
  if (user === undefined || solver === undefined || allocator === undefined) throw new Error('No accounts')
  const contracts = await chain.deployContracts({ owner: user.address, allocator: allocator.address })
  const token = await chain.deployToken({ name: 'Test Dollar', symbol: 'TUSD', decimals: 6 })
  await chain.fund(user.address, 10n ** 12n, token)
  await chain.fund(solver.address, 10n ** 12n, token)
  return { ...contracts, token, solver: solver.address }
}

/** Roles: account 0 is the user, 1 the solver, 2 the allocator. Contracts and balances come from saved state. */
export const startTestDeployment = async (
  chainId: number,
  options: { readonly blockTimeSeconds?: number } = {},
): Promise<TestDeployment> => {
  const { chain, prepared } = await startPreparedChain({ chainId, ...options }, 'test deployment', deploy)
  const { depository, fillRouter, swapRouter, depositAddressFactory, permitRouter, token, solver } = prepared
  const adapter: TestDeployment['adapter'] = (changes = {}) => {
    const config: ChainConfig = {
      id: chainId,
      slug: `local-${chainId}`,
      name: 'Local',
      package: '@causeway/chain-evm',
      rpc: changes.rpc ?? [{ http: chain.rpcUrl, ws: chain.wsUrl }],
      currencies: changes.currencies ?? [],
      confirmations: { fill: 1, success: 1, settle: 3, settleSeconds: 0, ...changes.confirmations },
      solver,
      ...(changes.originSender === undefined ? {} : { originSender: changes.originSender }),
      enabled: true,
      options: {},
    }
    const contracts = { depository, fillRouter, depositAddressFactory, permitRouter }
    const options = { ...contracts, pollIntervalMs: 50, ...changes.options }
    return evmAdapter(
      options,
      { config, clock: systemClock, logger: pino({ level: 'silent' }), environment: environmentOf({}) },
      changes.hooks,
    )
  }
  const routers = [fillRouter, swapRouter]
  return {
    chain,
    depository,
    fillRouter,
    swapRouter,
    depositAddressFactory,
    permitRouter,
    token,
    adapter,
    allowRouters: (account, tokens) => allowRouters(chain, account, { tokens, routers }),
  }
}
