import { createHash } from 'node:crypto'
import type { ChainTesting, LocalChain, LocalDeployment, TestKey, TokenPlan } from '@causeway/core/testing'
import type { HostChain, HostNetwork } from '../harness/host/hostProcess.js'
import { chainTestingOf } from '../transfers/servedChain.js'
import { LedgerAccount, LedgerNode } from './ledgerAccount.js'

export const EVM_ID = 70_031
export const XRP_ID = 70_032
export type ChainId = typeof EVM_ID | typeof XRP_ID
/** The native currency of the XRP Ledger as addresses spell it (chains.md xrpvm 1). */
export const XRP = 'rrrrrrrrrrrrrrrrrrrrrhoLvTp'
export const USERS = 6

/** One unit of an issued currency. */
export const ISSUED = 10n ** 15n
export const DROPS = 10n ** 6n

/** An issued currency of the tests' own, whose issuer does as a test tells it. */
export interface OwnCurrency {
  readonly code: string
  readonly issuer: LedgerAccount
  /** As the service spells it. */
  readonly address: string
}

/** An EVM chain and the XRP Ledger with the same assets on both, and what a host needs to serve them. */
export interface XrpNetwork {
  readonly ledger: LocalChain
  readonly node: LedgerNode
  /** Takes a hundredth of every transfer between others (chains.md xrpvm 5). */
  readonly gold: OwnCurrency
  /** To be frozen. */
  readonly ice: OwnCurrency
  readonly users: readonly LedgerAccount[]
  readonly solver: LedgerAccount
  readonly depository: string
  readonly walletKeys: Readonly<Record<number, readonly string[]>>
  readonly host: HostNetwork
  /** Makes an account that nobody used before, with so many drops. */
  newAccount(drops?: bigint): Promise<LedgerAccount>
  close(): Promise<void>
}

const BLOCK_MS = 250
const GOLD_RATE = 1_010_000_000
const SET_DEFAULT_RIPPLE = 8
const MANY = 1_000_000n * ISSUED
const HOLDS = {
  solverHolds: { native: 100_000n, token: 1_000_000n },
  userHolds: { native: 10_000n, token: 10_000n },
}

const ASSETS = [
  { symbol: 'XRP', groupId: 'xrp', decimals: 6 },
  { symbol: 'USDC', groupId: 'usdc', decimals: 6 },
  { symbol: 'GLD', groupId: 'gld', decimals: 18 },
  { symbol: 'ICE', groupId: 'ice', decimals: 18 },
] as const

const tokenOf = (symbol: string): TokenPlan => {
  const asset = ASSETS.find((item) => item.symbol === symbol)
  if (asset === undefined) throw new Error(`There is no ${symbol}`)
  return { ...asset, name: symbol }
}

interface OpenedChain {
  readonly testing: ChainTesting
  readonly local: LocalChain
  readonly payout: TestKey
  readonly allocator: TestKey
  readonly users: readonly TestKey[]
  readonly deployment: LocalDeployment
}

const secretOf = (name: string) => createHash('sha256').update(`xrp world ${name}`).digest()

const openChain = async (name: string, chainId: number, tokens: readonly TokenPlan[]): Promise<OpenedChain> => {
  const testing = await chainTestingOf(name)
  const local = await testing.startLocalChain({ chainId, blockMs: BLOCK_MS })
  const keyOf = (role: string): TestKey => testing.keyOf(secretOf(`${chainId} ${role}`))
  const [payout, allocator] = [keyOf('payout'), keyOf('allocator')]
  const users = Array.from({ length: USERS }, (_, user) => keyOf(`user ${user}`))
  const deployment = await testing.sandbox.deploy(local, {
    ...{ tokens, payout, allocator, seed: secretOf('seed'), users: users.map(({ address }) => address) },
    ...HOLDS,
  })
  return { testing, local, payout, allocator, users, deployment }
}

/** Starts both chains, makes the currencies and hands them out; the depository begins with no deposits. */
export const startXrpNetwork = async (): Promise<XrpNetwork> => {
  const [evm, xrp] = await Promise.all([
    openChain('@causeway/chain-evm', EVM_ID, ['XRP', 'USDC', 'GLD', 'ICE'].map(tokenOf)),
    openChain('@causeway/chain-xrpvm', XRP_ID, [{ ...tokenOf('USDC'), decimals: 15 }]),
  ])
  const node = new LedgerNode(xrp.local.endpoint.http, XRP_ID)
  const accountOf = ({ privateKey }: TestKey) => new LedgerAccount(node, privateKey)
  const [solver, vault, users] = [accountOf(xrp.payout), accountOf(xrp.allocator), xrp.users.map(accountOf)]
  let made = 0
  const newAccount = async (drops: bigint = 1_000n * DROPS): Promise<LedgerAccount> => {
    made += 1
    const account = accountOf(xrp.testing.keyOf(secretOf(`account ${made}`)))
    if (drops > 0n) await xrp.local.fund(account.address, drops)
    return account
  }
  const makeCurrency = async (code: string, rate: number | undefined): Promise<OwnCurrency> => {
    const issuer = await newAccount()
    await issuer.send({
      TransactionType: 'AccountSet',
      SetFlag: SET_DEFAULT_RIPPLE,
      ...(rate === undefined ? {} : { TransferRate: rate }),
    })
    const address = `${code}.${issuer.address}`
    await vault.trust(code, issuer.address)
    for (const holder of [solver, ...users]) await xrp.local.fund(holder.address, MANY, address)
    return { code, issuer, address }
  }
  // One after the other: both open lines of the same accounts.
  const gold = await makeCurrency('GLD', GOLD_RATE)
  const ice = await makeCurrency('ICE', undefined)
  return {
    ...{ ledger: xrp.local, node, gold, ice, users, solver, newAccount },
    depository: xrp.deployment.depository,
    walletKeys: {
      [EVM_ID]: evm.users.map(({ walletKey }) => walletKey),
      [XRP_ID]: xrp.users.map(({ walletKey }) => walletKey),
    },
    host: hostOf(evm, xrp, [gold, ice]),
    close: async () => {
      await Promise.all([evm.local.close(), xrp.local.close()])
    },
  }
}

const hostOf = (evm: OpenedChain, xrp: OpenedChain, own: readonly OwnCurrency[]): HostNetwork => {
  const chainOf = (slug: string, id: number, name: string, { local, payout, deployment }: OpenedChain): HostChain => ({
    ...{ id, slug, name: slug, package: name, rpc: [local.endpoint], solver: payout.address },
    currencies: deployment.currencies,
    confirmations: { fill: 1, success: 1, settle: 2, settleSeconds: 0 },
    options: { ...deployment.options, pollIntervalMs: 100 },
  })
  const ledger = chainOf('fjord', XRP_ID, '@causeway/chain-xrpvm', xrp)
  const more = own.map(({ code, address }) => ({ ...tokenOf(code), address, decimals: 15 }))
  return {
    chains: [
      chainOf('harbor', EVM_ID, '@causeway/chain-evm', evm),
      { ...ledger, currencies: [...ledger.currencies, ...more] },
    ],
    keys: {
      allocator: { env: 'TEST_KEY_ALLOCATOR' },
      allocators: { [XRP_ID]: { env: 'TEST_KEY_XRP_VAULT' } },
      payout: { [EVM_ID]: { env: 'TEST_KEY_PAYOUT' }, [XRP_ID]: { env: 'TEST_KEY_XRP_PAYOUT' } },
    },
    prices: { eth: '2000', xrp: '2', usdc: '1', gld: '50', ice: '3' },
    environment: {
      TEST_KEY_ALLOCATOR: evm.allocator.privateKey,
      TEST_KEY_PAYOUT: evm.payout.privateKey,
      TEST_KEY_XRP_PAYOUT: xrp.payout.privateKey,
      TEST_KEY_XRP_VAULT: xrp.allocator.privateKey,
    },
  }
}
