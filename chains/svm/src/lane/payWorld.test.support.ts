import { environmentOf, type Hex, type Json } from '@causeway/core'
import { createEd25519Signer, type Payout, type RpcEndpoint, type SignedAttempt } from '@causeway/core/chain'
import { HeadPace, JsonRpcClient } from '@causeway/core/chain-kit'
import { Keypair, PublicKey, VersionedTransaction } from '@solana/web3.js'
import { pino } from 'pino'
import { NATIVE } from '../address/addresses.js'
import { DepositBuilder, type DepositBuilderDeps } from '../deposit/buildDeposit.js'
import { LookupTables } from '../deposit/lookupTables.js'
import { decodeStepData } from '../deposit/stepData.test.support.js'
import { resolveOptions, type SvmOptions } from '../options.js'
import { FeeSource } from '../payout/fees/feeSource.js'
import { estimatePayoutFee } from '../payout/payoutFees.js'
import { PayoutForms } from '../payout/payoutForms.js'
import { recipientStatus } from '../payout/recipients.js'
import { Simulator } from '../payout/simulator.js'
import { SwapForms } from '../payout/swapForm.js'
import { SwapPayments } from '../payout/swapPayments.js'
import { AccountReader } from '../read/token/accountReader.js'
import { MintReader } from '../read/token/mintReader.js'
import { HeadSource } from '../rpc/head/headSource.js'
import { svmProtocol } from '../rpc/protocol.js'
import { SwapSources } from '../swap/swapSources.js'
import { UserSwaps } from '../swap/userSwaps.js'
import type { LocalSvmAccount, LocalSvmChain } from '../testing/index.js'
import { svmLane } from './lane.js'
import { compileMessage } from './laneTransaction.js'

export const SETTLE = 10

/** The paying side of an adapter over a local chain; account 0 is the solver, account 1 the depository. */
export const createPayWorld = (
  chain: LocalSvmChain,
  setup: {
    readonly options?: Partial<SvmOptions>
    readonly endpoints?: readonly RpcEndpoint[]
    /** In place of the configured swap sources. */
    readonly swaps?: DepositBuilderDeps['swaps']
  } = {},
) => {
  const logger = pino({ level: 'silent' })
  const [solver, vault] = [accountAt(chain, 0), accountAt(chain, 1)]
  const { genesisHash } = chain
  const endpoints = setup.endpoints ?? [{ http: chain.rpcUrl }]
  const settings = resolveOptions(
    { depository: vault.address, genesisHash, pollIntervalMs: 20, ...setup.options },
    1,
    environmentOf({}),
  )
  const rpc = new JsonRpcClient({ protocol: svmProtocol(genesisHash), endpoints, timeoutMs: 2000, logger })
  const heads = new HeadSource({
    rpc,
    endpoints,
    pollIntervalMs: 20,
    maxHeadAgeSeconds: 0,
    pace: new HeadPace(400),
    logger,
  })
  const [accounts, mints, fees] = [
    new AccountReader({ rpc }),
    new MintReader({ rpc }),
    new FeeSource({ rpc, settings }),
  ]
  const forms = new PayoutForms({ mints, accounts, settings, requests: null })
  const tables = new LookupTables({ accounts })
  const { swapSources } = settings
  const sources = swapSources.length === 0 ? null : new SwapSources({ sources: swapSources, logger })
  const userSwaps = sources === null ? null : new UserSwaps({ sources, mints })
  const swaps = setup.swaps ?? userSwaps
  const swapForms = sources === null ? null : new SwapForms({ sources, mints, tables, settings })
  const payments = swapForms === null ? null : new SwapPayments({ rpc, fees, forms: swapForms })
  const confirmations = { fill: 1, success: 1, settle: SETTLE, settleSeconds: 0 }
  const reports: string[] = []
  const monitor = { report: ({ subject }: { subject: string }) => void reports.push(subject) }
  const lane = svmLane({
    rpc,
    heads,
    fees,
    forms,
    swaps: payments,
    sweeps: null,
    accounts,
    requests: null,
    settings,
    confirmations,
    monitor,
  })
  const simulator = new Simulator({ rpc, heads, fees, forms, swaps: payments, sweeps: null, settings })
  const signer = createEd25519Signer(solver.privateKey)
  const allocator = createEd25519Signer(vault.privateKey)
  return {
    rpc,
    heads,
    lane,
    simulator,
    mints,
    accounts,
    reports,
    solver,
    vault,
    signer,
    allocator,
    sources,
    swapForms,
    tables,
    fees,
    deposits: new DepositBuilder({ mints, accounts, tables, fees, settings, rpc, swaps }),
    estimate: (payout: Payout, simulation?: Awaited<ReturnType<Simulator['simulate']>>) =>
      estimatePayoutFee(payout, simulation, { fees, settings, mints }),
    status: (address: string, currency: string) =>
      recipientStatus({ address }, currency, { accounts, mints, fees, depository: vault.address }),
    payout: (changes: Partial<Omit<Payout, 'to'>> & { readonly to?: string } = {}): Payout => {
      const { to = freshAddress(), ...rest } = changes
      const money = { currency: NATIVE, amount: 1_000_000_000n }
      const shared = { purpose: 'fill', orderId: newOrderId(), from: solver.address, money, calls: [] } as const
      return { ...shared, ...rest, to: { address: to } }
    },
    /** Prepared and signed at a position, not sent. */
    sign: async (payouts: readonly Payout[], sequence: number): Promise<SignedAttempt[]> => {
      const items = payouts.map((payout) => ({ payout, gas: null }))
      const { prepared } = await lane.prepare(items, { sequence })
      return Promise.all(prepared.flatMap((item) => (item === null ? [] : [lane.sign(item, signer, allocator)])))
    },
    /** Lamports, or tokens of all accounts of the owner. */
    balance: async (address: string, mint?: string): Promise<bigint> => {
      const key = new PublicKey(address)
      if (mint === undefined) return BigInt(await chain.connection.getBalance(key, 'confirmed'))
      const { value } = await chain.connection.getTokenAccountsByOwner(key, { mint: new PublicKey(mint) }, 'confirmed')
      return value.reduce((sum, { account }) => sum + account.data.readBigUInt64LE(64), 0n)
    },
    start: async () => {
      heads.start()
      await heads.tip()
    },
    close: () => {
      heads.stop()
      rpc.close()
    },
  }
}

export type PayWorld = ReturnType<typeof createPayWorld>

export const accountAt = (chain: LocalSvmChain, at: number): LocalSvmAccount => {
  const account = chain.accounts[at]
  if (account === undefined) throw new Error(`There is no local account ${at}.`)
  return account
}

export const freshAddress = (): string => Keypair.generate().publicKey.toBase58()

/** Sends exactly what a step item says, as a wallet does that adds nothing. */
export const sendStep = async (
  chain: LocalSvmChain,
  data: Json,
  account: LocalSvmAccount,
  feePayer: LocalSvmAccount = account,
): Promise<string> => {
  const { blockhash } = await chain.connection.getLatestBlockhash('confirmed')
  const { instructions, tables } = decodeStepData(data)
  const found = await Promise.all(tables.map((table) => chain.connection.getAddressLookupTable(new PublicKey(table))))
  const lookups = found.flatMap(({ value }) => value ?? [])
  const message = compileMessage(instructions, feePayer.address, blockhash, lookups)
  const transaction = new VersionedTransaction(message)
  transaction.sign(feePayer === account ? [account.keypair] : [feePayer.keypair, account.keypair])
  const signature = await chain.connection.sendTransaction(transaction)
  await chain.waitFor(signature)
  return signature
}

let orders = 0

export const newOrderId = (): Hex => {
  orders += 1
  return `0x${'5a'.repeat(24)}${orders.toString(16).padStart(16, '0')}`
}

/** Asks until the answer is not null; throws after ten seconds. */
export const eventually = async <T>(what: string, ask: () => Promise<T | null>): Promise<T> => {
  const deadline = performance.now() + 60_000
  for (;;) {
    const answer = await ask()
    if (answer !== null) return answer
    if (performance.now() > deadline) throw new Error(`A minute passed without ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
