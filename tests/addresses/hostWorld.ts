import type { ChainAdapter } from '@causeway/core/chain'
import { createPool } from '@causeway/core/plugin'
import { createTestDatabase, type TestWallet } from '@causeway/core/testing'
import type { Pool } from 'pg'
import type { Hex } from 'viem'
import { type HostProcessOptions, startHostProcess } from '../harness/host/hostProcess.js'
import { createApiKey, runOperator } from '../harness/host/operatorCommand.js'
import { ApiClient, type Quote } from '../transfers/apiClient.js'
import type { Cell, MatrixKind } from '../transfers/matrixCells.js'
import { closeChains, type MatrixChain, networkOf, startChains } from '../transfers/matrixChains.js'
import { openAdapter, preparePayment } from '../transfers/plainPayments.js'
import { type Currency, currencyOf, openServed, type ServedChain } from '../transfers/servedChain.js'

/** A chain of the world, and what pays on it besides what quotes say. */
export interface AddressChain extends ServedChain {
  readonly adapter: ChainAdapter
  /** A wallet that has paid nothing yet. @throws Error when there is none left */
  nextWallet(): TestWallet
}

/** A host that gives addresses over a chain of each kind, and a second EVM chain. */
export interface HostWorld {
  readonly api: ApiClient
  readonly pool: Pool
  readonly url: string
  readonly apiKey: string
  readonly chains: readonly AddressChain[]
  /** The first or the second chain of a kind; only EVM has a second one. */
  chain(vmType: string, at?: 0 | 1): AddressChain
  command(...words: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }>
  close(): Promise<void>
}

const STATUS_MS = 100
const ROLES = ['api', 'watcher', 'solver'] as const

export const startHostWorld = async (kinds: readonly MatrixKind[], users: number): Promise<HostWorld> => {
  const cells = kinds.flatMap((kind) => Array.from({ length: users }, (): Pick<Cell, 'from'> => ({ from: kind })))
  // CAST: only whose user a cell needs is read of it.
  const [made, database] = await Promise.all([
    startChains(kinds, cells as Cell[], { users: 2, of: ['evm'] }),
    createTestDatabase({ packages: [] }),
  ])
  const network = networkOf(kinds, made)
  const chains = await Promise.all(made.map((chain, at) => openAddressChain(chain, network.chains[at])))
  const options: HostProcessOptions = {
    network,
    databaseUrl: database.url,
    morePlugins: [
      { package: '@causeway/plugin-requests-v3' },
      { package: '@causeway/plugin-deposit-address', options: { poolSize: 20 } },
    ],
  }
  // Each role in a process of its own: only the solver's holds the secret of the addresses.
  const [host, ...others] = await Promise.all(ROLES.map((role) => startHostProcess({ ...options, roles: [role] })))
  if (host === undefined) throw new Error('There is no role')
  const apiKey = await createApiKey(options)
  const pool = createPool({ connectionString: database.url, max: 2, applicationName: 'causeway test' })
  return {
    pool,
    apiKey,
    chains,
    url: host.url,
    api: new ApiClient({ baseUrl: host.url, apiKey, pollMs: STATUS_MS }),
    chain: (vmType, at = 0) => {
      const found = chains.filter(({ adapter }) => adapter.vmType === vmType)[at]
      if (found === undefined) throw new Error(`There is no chain ${at + 1} of ${vmType}`)
      return found
    },
    command: (...words) => runOperator(options, words),
    close: async () => {
      for (const one of [host, ...others]) one.signal('SIGTERM')
      await Promise.all([host, ...others].map(({ ended }) => ended))
      await Promise.all(chains.map(({ adapter }) => adapter.stop()))
      await pool.end()
      await database.drop()
      await closeChains(made)
    },
  }
}

const openAddressChain = async (
  { kind, id, slug, local, deployment, users }: MatrixChain,
  config: object | undefined,
): Promise<AddressChain> => {
  const served = await openServed(kind.package, {
    chainId: local.chainId,
    endpoint: local.endpoint,
    name: slug,
    ...deployment,
  })
  const adapter = await openAdapter(kind.package, { ...config, id, slug })
  const left = [...users]
  return {
    ...served,
    adapter,
    nextWallet: () => {
      const user = left.shift()
      if (user === undefined) throw new Error(`${slug} has too few users`)
      return served.openWallet(user.walletKey)
    },
  }
}

/** What a quote with an address asks for. */
export interface AddressRequest {
  readonly from: AddressChain
  readonly to: AddressChain
  readonly symbol: string
  readonly into?: string
  readonly amount: bigint
  readonly strict?: boolean
  /** Absent: an address nobody used before; null: none. */
  readonly refundTo?: string | null
  readonly more?: Readonly<Record<string, unknown>>
}

/** A quote whose address is to be paid. */
export interface Given {
  readonly requestId: Hex
  readonly address: string
  readonly recipient: string
  readonly refundTo: string | null
  readonly amountOut: bigint
  readonly quote: Quote
  readonly request: AddressRequest
  readonly payer: TestWallet
}

export const give = async (world: HostWorld, request: AddressRequest): Promise<Given> => {
  const { from, to, symbol, into = symbol, amount, strict = false, more = {} } = request
  const payer = from.nextWallet()
  const [given, got] = [currencyOf(from, symbol).address, currencyOf(to, into).address]
  const recipient = await to.reader.freshAddress(got)
  const refundTo = request.refundTo === undefined ? await from.reader.freshAddress(given) : request.refundTo
  const { quote } = await world.api.quote({
    user: payer.address,
    recipient,
    originChainId: from.chainId,
    destinationChainId: to.chainId,
    originCurrency: given,
    destinationCurrency: got,
    amount: amount.toString(),
    tradeType: 'EXACT_INPUT',
    useDepositAddress: true,
    ...(strict ? { strict } : {}),
    ...(refundTo === null ? {} : { refundTo }),
    ...more,
  })
  const [step] = quote.steps
  // CAST: the field is the quote schema's.
  const { depositAddress: address } = step as unknown as { readonly depositAddress: string }
  const amountOut = BigInt(quote.details.currencyOut.amount)
  return { requestId: quote.requestId, address, recipient, refundTo, amountOut, quote, request, payer }
}

/** Pays to an address as any wallet may: another amount, currency or chain than its quote asked for, where given. */
export const payTo = async (
  { address, request, payer }: Pick<Given, 'address' | 'request' | 'payer'>,
  { amount = request.amount, chain = request.from, symbol = request.symbol, wallet = payer }: Partial<Payment> = {},
): Promise<string> => {
  const currency: Currency = currencyOf(chain, symbol)
  const money = { currency: currency.address, amount }
  const signed = await preparePayment(chain.adapter, { wallet, address, money })
  return signed.send()
}

export interface Payment {
  readonly amount: bigint
  readonly chain: AddressChain
  readonly symbol: string
  readonly wallet: TestWallet
}
