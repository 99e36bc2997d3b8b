import type { ChainAdapter, ChainDeps, DepositRequest } from '@causeway/core/chain'
import { accountChain, askInOrder, bareHexId, checkedAddressCodec, defineAdapter } from '@causeway/core/chain-kit'
import {
  MAX_AMOUNT,
  NATIVE,
  normalizeCurrency,
  PLACEHOLDERS,
  payable,
  TRX_DECIMALS,
  validateAddress,
} from './address/addresses.js'
import { buildDeposit } from './deposit/buildDeposit.js'
import { DepositSource } from './deposit/depositSource.js'
import { readDepositKey, tronAddresses } from './depositAddress/depositAddresses.js'
import { tronPayments } from './lane/lane.js'
import { resolveOptions, TRON_CHAIN_ID, type TronOptions, type TronSettings } from './options.js'
import { tronFees } from './payout/payoutFees.js'
import { tronSimulator } from './payout/simulator.js'
import { readBalances } from './read/balances.js'
import { diagnose, verifyDepository } from './read/diagnose.js'
import { isOwnerless, readRecipient } from './read/recipients.js'
import { readTokenFacts } from './read/tokenFacts.js'
import { pricesBy } from './rpc/accounts.js'
import { askHead } from './rpc/blocks.js'
import { askAllowance } from './rpc/contracts.js'
import { openNodes, tronProbe } from './rpc/probe.js'

const CAPABILITIES = {
  tokens: true,
  simulation: 'full',
  // Two transactions would both be paid: only after its expiration a payment is made again.
  bump: 'resign-after-expiry',
  depositBinding: 'contract-arg',
  refundToDepositor: true,
} as const

/** The currency of a network whose configuration does not list it. */
const NATIVE_CURRENCY = { address: NATIVE, symbol: 'TRX', name: 'TRON', decimals: TRX_DECIMALS }

/** Time between blocks until it was seen. */
const BLOCK_MS = 3000
/** Blocks in one range: what nodes list at once. */
const RANGE = 100n

/** One configured Tron network: its own facts are here, all else is parts of core's kit. */
export const tronAdapter = (options: TronOptions, deps: ChainDeps) => {
  const { config } = deps
  const settings = resolveOptions(options, config.id)
  const { depository } = settings
  const { reader, lane, fees, simulator, addresses, allowanceFor } = tronParts(settings, deps)
  return defineAdapter({
    identity: {
      ...{ config, vmType: 'tvm', native: NATIVE_CURRENCY, nativeDecimals: TRX_DECIMALS },
      ...{ depository, maxAmount: MAX_AMOUNT, capabilities: CAPABILITIES },
      ...(config.id === TRON_CHAIN_ID ? {} : { addressCodec: checkedAddressCodec('tron-vm', 'Tron', validateAddress) }),
      explorerPaths: {
        ...{ transaction: '/#/transaction/{TX_HASH}', address: '/#/address/{ADDRESS}', token: '/#/token20/{ADDRESS}' },
      },
    },
    forms: {
      ...{ validateAddress, normalizeCurrency, payable },
      ...{ checkTransactionId: bareHexId, placeholders: PLACEHOLDERS, ownerless: isOwnerless },
    },
    reader,
    payouts: {
      lane,
      estimatePayoutFee: (payout, simulation) => fees.payoutFee(payout, simulation),
      simulate: (payout) => simulator.simulate(payout),
    },
    deposits: {
      estimateDepositFee: (request) => fees.depositFee(request),
      buildDeposit: async (request) =>
        buildDeposit(request, await allowanceFor(request), { depository, chainId: config.id }),
      ...(addresses === null ? {} : { depositAddresses: addresses.addresses }),
    },
  })
}

export type TronAdapter = ReturnType<typeof tronAdapter>

/** Parts over the nodes of one network. */
const tronParts = (settings: TronSettings, deps: ChainDeps) => {
  const { config, logger, clock } = deps
  const { depository, genesisHash, startBlock, depositKey } = settings
  const pool = openNodes(deps, settings)
  const prices = pricesBy(pool)
  const named = validateAddress(config.solver)
  // A chain that is being set up has no solver yet.
  const solver = named.ok ? named.canonical : NATIVE
  const fees = tronFees({ depository, pool }, { prices, solver })
  const balances: ChainAdapter['getBalances'] = (queries) => chain.reader.getBalances(queries)
  const addresses =
    depositKey === null
      ? null
      : tronAddresses(readDepositKey(depositKey), { chainId: config.id, depository, fees, balances })
  const source = new DepositSource({ depository, solver })
  const paying = { depository, pool, prices, sweeps: addresses?.sweeps ?? null }
  const chain = accountChain({
    ...{ config, logger, settings, depository, pool, blockMs: BLOCK_MS, range: RANGE, source },
    probe: tronProbe(genesisHash, config.confirmations.settle),
    payments: tronPayments({ ...paying, chainId: config.id, settings, now: () => clock.now() }),
    questions: {
      balances: readBalances,
      gainOf: (transaction, account) => source.gainOf(transaction, account),
      recipient: (node, to, currency) => readRecipient(node, { to, currency }, paying),
      token: readTokenFacts,
      verify: (node, expected) => verifyDepository(node, { config, settings }, expected),
    },
    ...(startBlock === null ? {} : { startHeight: BigInt(startBlock) }),
    ...(addresses === null ? {} : { arrivals: source.arrivals }),
  })
  const reader = {
    ...chain.reader,
    diagnose: (request: Parameters<NonNullable<ChainAdapter['diagnose']>>[0]) =>
      diagnose(request, { config, settings, pool }),
    finalHeight: () => askInOrder(pool, async (node) => (await askHead(node, 'walletsolidity')).height),
    readAllowance: (spending: Parameters<NonNullable<ChainAdapter['readAllowance']>>[0]) =>
      askInOrder(pool, async (node) => (await askAllowance(node, spending)) ?? 0n),
  }
  const allowanceFor = async ({ from, money: { currency }, explicitDeposit }: DepositRequest) =>
    currency === NATIVE || !explicitDeposit
      ? null
      : reader.readAllowance({ token: currency, owner: from, spender: depository })
  return { reader, lane: chain.lane, fees, simulator: tronSimulator(paying), addresses, allowanceFor }
}
