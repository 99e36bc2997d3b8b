import {
  type BitcoinAccount,
  accountOf as bitcoinAccountOf,
  type LocalBitcoin,
  type LocalBitcoinOptions,
  startLocalBitcoin,
} from '@causeway/chain-bvm/testing'
import { type LocalAccount, type LocalEvmChain, startLocalChain } from '@causeway/chain-evm/testing'
import { accountOf, type LocalSvmAccount, type LocalSvmChain, startLocalSvm } from '@causeway/chain-svm/testing'
import type { CurrencyConfig } from '@causeway/core/chain'
import type { HostNetwork } from '../harness/host/hostProcess.js'
import { NATIVE } from '../harness/localNetwork.js'

export const EVM_ID = 70_021
export const SVM_ID = 70_022
export const BVM_ID = 70_023
export type ChainId = typeof EVM_ID | typeof SVM_ID | typeof BVM_ID
/** The native currency of Bitcoin as addresses spell it (chains.md bvm 1). */
export const BTC = 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8'

/** Decimals of bitcoin on each chain: native on its own, a token elsewhere. */
export const DECIMALS: Readonly<Record<ChainId, number>> = { [EVM_ID]: 18, [SVM_ID]: 8, [BVM_ID]: 8 }

/** A chain of each kind with bitcoin on all of them, and what a host needs to serve them. */
export interface BitcoinNetwork {
  readonly evm: LocalEvmChain
  readonly svm: LocalSvmChain
  readonly bitcoin: LocalBitcoin
  /** Mines bitcoin blocks by itself until it is paused. */
  readonly miner: { pause(): void; resume(): void }
  readonly currencies: Readonly<Record<ChainId, CurrencyConfig>>
  readonly evmUser: LocalAccount
  readonly svmUser: LocalSvmAccount
  readonly walletKeys: Readonly<Record<ChainId, readonly string[]>>
  readonly bitcoinUsers: readonly BitcoinAccount[]
  /** Whose address bitcoin deposits go to. */
  readonly vault: BitcoinAccount
  readonly solver: BitcoinAccount
  readonly host: HostNetwork
  close(): Promise<void>
}

const PLENTY = 10n ** 6n
/** Coins of the solver, of half a bitcoin each. */
const SOLVER_COINS = 12
const BLOCK_MS = 400

const bitcoinOf = (key: string): BitcoinAccount => bitcoinAccountOf(Uint8Array.from(Buffer.from(key, 'hex')))
const [SOLVER_KEY, VAULT_KEY] = ['b1'.repeat(32), 'b2'.repeat(32)]

/** Starts the chains, makes bitcoin on each and hands it out; the vaults begin empty. */
export const startBitcoinNetwork = async (policy: LocalBitcoinOptions['policy'] = {}): Promise<BitcoinNetwork> => {
  const [evm, svm, bitcoin] = await Promise.all([
    startLocalChain({ chainId: EVM_ID, blockTimeSeconds: 0.25 }),
    startLocalSvm({ slotMs: 200 }),
    startLocalBitcoin({ policy: { coinbaseMaturity: 1, ...policy } }),
  ])
  const [order, evmSolver, allocator, evmUser] = evm.accounts
  const [svmSolver, svmUser] = svm.accounts
  if (!order || !evmSolver || !allocator || !evmUser || !svmSolver || !svmUser) throw new Error('No accounts')
  const svmVault = accountOf(`0x${'7b'.repeat(32)}`)
  const [solver, vault] = [bitcoinOf(SOLVER_KEY), bitcoinOf(VAULT_KEY)]
  const { depository, fillRouter } = await evm.deployContracts({
    owner: allocator.address,
    allocator: allocator.address,
  })
  const evmBitcoin = await evm.deployToken({ name: 'Bitcoin', symbol: 'BTC', decimals: DECIMALS[EVM_ID] })
  for (const { address } of [evmSolver, evmUser]) await evm.fund(address, PLENTY * 10n ** 18n, evmBitcoin)
  const svmBitcoin = await svm.createToken({ decimals: DECIMALS[SVM_ID], program: 'token' })
  for (const { address } of [svmSolver, svmUser]) await svm.fund(address, PLENTY * 10n ** 8n, svmBitcoin)
  for (let at = 0; at < SOLVER_COINS; at++) {
    await bitcoin.fund(solver.addresses.p2wpkh, 50_000_000n, { mine: false })
  }
  await bitcoin.mine()
  const miner = mining(bitcoin)
  const shared = { symbol: 'BTC', name: 'Bitcoin', groupId: 'btc' }
  const currencies = {
    [EVM_ID]: { ...shared, address: evmBitcoin, decimals: DECIMALS[EVM_ID] },
    [SVM_ID]: { ...shared, address: svmBitcoin, decimals: DECIMALS[SVM_ID] },
    [BVM_ID]: { ...shared, address: BTC, decimals: DECIMALS[BVM_ID] },
  }
  const confirmations = { fill: 1, success: 1, settle: 2, settleSeconds: 0 }
  return {
    evm,
    svm,
    bitcoin,
    miner,
    currencies,
    evmUser,
    svmUser,
    walletKeys: {
      [EVM_ID]: [evmUser.privateKey],
      [SVM_ID]: [svmUser.privateKey],
      [BVM_ID]: bitcoin.accounts.map(({ wif }) => wif),
    },
    bitcoinUsers: bitcoin.accounts,
    vault,
    solver,
    host: {
      chains: [
        {
          id: EVM_ID,
          slug: 'harbor',
          name: 'harbor',
          package: '@causeway/chain-evm',
          rpc: [{ http: evm.rpcUrl, ws: evm.wsUrl }],
          currencies: [
            { address: NATIVE, symbol: 'ETH', name: 'Ether', decimals: 18, groupId: 'eth' },
            currencies[EVM_ID],
          ],
          solver: evmSolver.address,
          confirmations,
          options: { depository, fillRouter, startBlock: 0, pollIntervalMs: 100 },
        },
        {
          id: SVM_ID,
          slug: 'reef',
          name: 'reef',
          package: '@causeway/chain-svm',
          rpc: [{ http: svm.rpcUrl, ws: svm.wsUrl }],
          currencies: [
            { address: '1'.repeat(32), symbol: 'SOL', name: 'Solana', decimals: 9, groupId: 'sol' },
            currencies[SVM_ID],
          ],
          solver: svmSolver.address,
          confirmations,
          options: { depository: svmVault.address, genesisHash: svm.genesisHash, startSlot: 0, pollIntervalMs: 100 },
        },
        {
          id: BVM_ID,
          slug: 'glacier',
          name: 'glacier',
          package: '@causeway/chain-bvm',
          rpc: [
            { http: bitcoin.url, provider: 'esplora' },
            { http: bitcoin.rpcUrl, provider: 'core' },
          ],
          currencies: [currencies[BVM_ID]],
          solver: solver.addresses.p2wpkh,
          confirmations,
          // Small amounts are served while one node is away, large ones are shown by both.
          quorum: [
            { aboveUsd: '0', agreeing: 1 },
            { aboveUsd: '1000', agreeing: 2 },
          ],
          options: {
            depository: vault.addresses.p2wpkh,
            network: 'regtest',
            access: ['esplora', 'core'],
            startHeight: 0,
            minFeeRate: 2,
            maxFeeRate: 50,
            pollIntervalMs: 100,
            endpointCheckMs: 500,
            bumpAfterMs: 5_000,
            inclusionWindowMs: 120_000,
          },
        },
      ],
      keys: {
        allocator: { env: 'TEST_KEY_ALLOCATOR' },
        allocators: { [SVM_ID]: { env: 'TEST_KEY_SVM_VAULT' }, [BVM_ID]: { env: 'TEST_KEY_BVM_VAULT' } },
        payout: {
          [EVM_ID]: { env: 'TEST_KEY_PAYOUT' },
          [SVM_ID]: { env: 'TEST_KEY_SVM_PAYOUT' },
          [BVM_ID]: { env: 'TEST_KEY_BVM_PAYOUT' },
        },
      },
      prices: { eth: '2000', sol: '100', btc: '60000' },
      environment: {
        TEST_KEY_ORDER: order.privateKey,
        TEST_KEY_ALLOCATOR: allocator.privateKey,
        TEST_KEY_PAYOUT: evmSolver.privateKey,
        TEST_KEY_SVM_PAYOUT: svmSolver.privateKey,
        TEST_KEY_SVM_VAULT: svmVault.privateKey,
        TEST_KEY_BVM_PAYOUT: `0x${SOLVER_KEY}`,
        TEST_KEY_BVM_VAULT: `0x${VAULT_KEY}`,
      },
    },
    close: async () => {
      miner.pause()
      await Promise.all([evm.close(), svm.close(), bitcoin.close()])
    },
  }
}

/** Blocks come by themselves, so that no test has to ask for one. */
const mining = (bitcoin: LocalBitcoin): BitcoinNetwork['miner'] => {
  let timer: NodeJS.Timeout | undefined
  const pause = () => {
    clearInterval(timer)
    timer = undefined
  }
  const resume = () => {
    timer ??= setInterval(() => void bitcoin.mine(), BLOCK_MS)
  }
  resume()
  return { pause, resume }
}
