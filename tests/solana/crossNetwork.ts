import { type LocalAccount, type LocalEvmChain, startLocalChain } from '@causeway/chain-evm/testing'
import { accountOf, type LocalSvmAccount, type LocalSvmChain, startLocalSvm } from '@causeway/chain-svm/testing'
import type { CurrencyConfig } from '@causeway/core/chain'
import type { HostNetwork } from '../harness/host/hostProcess.js'
import { NATIVE } from '../harness/localNetwork.js'

export const EVM_ID = 70_011
export const SVM_ID = 70_012
/** The native currency of Solana as addresses spell it (chains.md svm 1). */
export const SOL = '1'.repeat(32)

/** One chain of each kind, with the same assets on both, and what a host needs to serve them. */
export interface CrossNetwork {
  readonly evm: LocalEvmChain
  readonly svm: LocalSvmChain
  readonly currencies: Readonly<Record<typeof EVM_ID | typeof SVM_ID, readonly CurrencyConfig[]>>
  readonly evmUsers: readonly LocalAccount[]
  readonly svmUsers: readonly LocalSvmAccount[]
  /** Of the users of each chain. */
  readonly walletKeys: Readonly<Record<number, readonly string[]>>
  /** Account that Solana deposits go to. */
  readonly vault: LocalSvmAccount
  readonly solvers: { readonly evm: LocalAccount; readonly svm: LocalSvmAccount }
  readonly host: HostNetwork
  close(): Promise<void>
}

const MANY = 10n ** 24n
const MANY_ON_SOLANA = 10n ** 16n

/** Same asset on both chains, with its decimals on each; the last takes a fee of every transfer on Solana. */
const ASSETS = [
  { symbol: 'SOL', groupId: 'sol', evm: 9, svm: null },
  { symbol: 'ETH', groupId: 'eth', evm: null, svm: { decimals: 8, program: 'token' } },
  { symbol: 'USDC', groupId: 'usdc', evm: 18, svm: { decimals: 6, program: 'token' } },
  { symbol: 'GOLD', groupId: 'gold', evm: 6, svm: { decimals: 9, program: 'token-2022' } },
  {
    symbol: 'TIDE',
    groupId: 'tide',
    evm: 18,
    svm: { decimals: 8, program: 'token-2022', transferFee: { bps: 50, maximum: 10n ** 15n } },
  },
] as const

/** Starts both chains, makes the tokens and hands them out; the vault begins empty. */
export const startCrossNetwork = async (options: { readonly slotMs?: number } = {}): Promise<CrossNetwork> => {
  const [evm, svm] = await Promise.all([
    startLocalChain({ chainId: EVM_ID, blockTimeSeconds: 0.25 }),
    startLocalSvm({ slotMs: options.slotMs ?? 200 }),
  ])
  const [order, evmSolver, allocator, ...evmUsers] = evm.accounts.slice(0, 9)
  const [svmSolver, ...svmUsers] = svm.accounts
  if (!order || !evmSolver || !allocator || !svmSolver) throw new Error('No accounts')
  const vault = accountOf(`0x${'7a'.repeat(32)}`)
  const { depository, fillRouter } = await evm.deployContracts({
    owner: allocator.address,
    allocator: allocator.address,
  })
  const currencies = {
    [EVM_ID]: await evmCurrencies(evm, [evmSolver, ...evmUsers]),
    [SVM_ID]: await svmCurrencies(svm, [svmSolver, ...svmUsers]),
  }
  return {
    evm,
    svm,
    currencies,
    evmUsers,
    svmUsers,
    walletKeys: {
      [EVM_ID]: evmUsers.map(({ privateKey }) => privateKey),
      [SVM_ID]: svmUsers.map(({ privateKey }) => privateKey),
    },
    vault,
    solvers: { evm: evmSolver, svm: svmSolver },
    host: {
      chains: [
        {
          id: EVM_ID,
          slug: 'harbor',
          name: 'harbor',
          package: '@causeway/chain-evm',
          rpc: [{ http: evm.rpcUrl, ws: evm.wsUrl }],
          currencies: currencies[EVM_ID],
          solver: evmSolver.address,
          confirmations: { fill: 1, success: 1, settle: 2, settleSeconds: 0 },
          options: { depository, fillRouter, startBlock: 0, pollIntervalMs: 100 },
        },
        {
          id: SVM_ID,
          slug: 'reef',
          name: 'reef',
          package: '@causeway/chain-svm',
          rpc: [{ http: svm.rpcUrl, ws: svm.wsUrl }],
          currencies: currencies[SVM_ID],
          solver: svmSolver.address,
          confirmations: { fill: 1, success: 1, settle: 2, settleSeconds: 0 },
          options: { depository: vault.address, genesisHash: svm.genesisHash, startSlot: 0, pollIntervalMs: 100 },
        },
      ],
      keys: {
        allocator: { env: 'TEST_KEY_ALLOCATOR' },
        allocators: { [SVM_ID]: { env: 'TEST_KEY_VAULT' } },
        payout: { [EVM_ID]: { env: 'TEST_KEY_PAYOUT' }, [SVM_ID]: { env: 'TEST_KEY_SVM_PAYOUT' } },
      },
      prices: { eth: '2000', sol: '100', usdc: '1', gold: '50', tide: '2' },
      environment: {
        TEST_KEY_ORDER: order.privateKey,
        TEST_KEY_ALLOCATOR: allocator.privateKey,
        TEST_KEY_PAYOUT: evmSolver.privateKey,
        TEST_KEY_SVM_PAYOUT: svmSolver.privateKey,
        TEST_KEY_VAULT: vault.privateKey,
      },
    },
    close: async () => {
      await Promise.all([evm.close(), svm.close()])
    },
  }
}

const evmCurrencies = async (chain: LocalEvmChain, holders: readonly LocalAccount[]): Promise<CurrencyConfig[]> => {
  const currencies: CurrencyConfig[] = [{ address: NATIVE, symbol: 'ETH', name: 'Ether', decimals: 18, groupId: 'eth' }]
  for (const { symbol, groupId, evm: decimals } of ASSETS) {
    if (decimals === null) continue
    const address = await chain.deployToken({ name: symbol, symbol, decimals })
    currencies.push({ address, symbol, name: symbol, decimals, groupId })
    await Promise.all(holders.map((holder) => chain.fund(holder.address, MANY, address)))
  }
  return currencies
}

const svmCurrencies = async (chain: LocalSvmChain, holders: readonly LocalSvmAccount[]): Promise<CurrencyConfig[]> => {
  const currencies: CurrencyConfig[] = [{ address: SOL, symbol: 'SOL', name: 'Solana', decimals: 9, groupId: 'sol' }]
  for (const { symbol, groupId, svm: token } of ASSETS) {
    if (token === null) continue
    const address = await chain.createToken(token)
    currencies.push({ address, symbol, name: symbol, decimals: token.decimals, groupId })
    for (const holder of holders) await chain.fund(holder.address, MANY_ON_SOLANA, address)
  }
  return currencies
}

/** The currency of a symbol on a chain; throws when there is none. */
export const currencyOf = (network: CrossNetwork, chainId: typeof EVM_ID | typeof SVM_ID, symbol: string) => {
  const currency = network.currencies[chainId].find((item) => item.symbol === symbol)
  if (currency === undefined) throw new Error(`Chain ${chainId} has no ${symbol}`)
  return currency
}
