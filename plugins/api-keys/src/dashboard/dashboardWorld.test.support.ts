import 'reflect-metadata'
import type { ChainAdapter, ChainConfig, WalletAnswer, WalletQuestion } from '@causeway/core/chain'
import { ChainWalletSignatures, EnvironmentKeys } from '@causeway/core/host'
import { ChainRegistry } from '@causeway/core/plugin'
import { createTestDatabase, sendRaw, startTestServer, type TestDatabase } from '@causeway/core/testing'
import { type Hex, recoverAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage, type SiweMessage } from 'viem/siwe'
import { apiKeyTables } from '../fixtures/apiKeyTables.js'
import { dashboardCommands } from './dashboardCommands.js'
import { type DashboardSettings, dashboardSettings } from './dashboardOptions.js'
import { openDashboard } from './openDashboard.js'

export interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
  readonly text: string
  readonly cookies: readonly string[]
  readonly cacheControl: string | undefined
}

export interface Call {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Somebody with a browser: keeps the cookie and the token of a session. */
export interface Person {
  readonly cookie: string
  readonly csrfToken: string
}

export interface DashboardWorld {
  readonly url: string
  readonly database: TestDatabase
  /** Moves the service's time. */
  tick(milliseconds: number): void
  now(): number
  call(path: string, call?: Call): Promise<Answer>
  /** A call with somebody's cookie and token. */
  as(person: Person, path: string, call?: Call): Promise<Answer>
  operatorToken(): Promise<string>
  logged(): string
  close(): Promise<void>
}

export const CHAIN_ID = 70_001
/** Of a chain whose wallets sign in as well. */
export const OTHER_CHAIN_ID = 70_003
/** Of a chain whose wallets have no standard to sign in by. */
export const SIGNLESS_CHAIN_ID = 70_002

/** Contract wallets of a chain: the address of the key that each listens to, by its own. */
export type Contracts = Map<string, string>

/** A chain whose contracts listen to keys; the real ones are asked in `tests/http`. */
const chainWith = (chainId: number, contracts: Contracts) => {
  const verify = async ({ wallet, digest, signature }: WalletQuestion): Promise<WalletAnswer> => {
    const owner = contracts.get(wallet)
    if (owner === undefined) return 'absent'
    const signer = await recoverAddress({ hash: digest, signature }).catch(() => null)
    return signer?.toLowerCase() === owner.toLowerCase() ? 'valid' : 'invalid'
  }
  return {
    // CAST: the fields that are read.
    config: { id: chainId, quorum: [] } as unknown as ChainConfig,
    adapter: {
      capabilities: { walletSignIn: 'eip-4361' },
      validateAddress: (canonical: string) => ({ ok: true, canonical }),
      contractWallets: { verify },
    } as unknown as ChainAdapter,
  }
}

const chains = (contracts: readonly [Contracts, Contracts]): ChainRegistry =>
  new ChainRegistry([
    chainWith(CHAIN_ID, contracts[0]),
    chainWith(OTHER_CHAIN_ID, contracts[1]),
    // CAST: as above.
    { config: { id: SIGNLESS_CHAIN_ID } as ChainConfig, adapter: { capabilities: {} } as ChainAdapter },
  ])

export const newWallet = () => privateKeyToAccount(generatePrivateKey())
export type TestWallet = ReturnType<typeof newWallet>

/** The management API over a database of its own, or a second host over that of another. */
export const startDashboard = async (
  options: Exclude<Parameters<typeof dashboardSettings>[0], false> & {
    readonly beside?: DashboardWorld
    readonly master?: string
    readonly listenHost?: string
    /** Of the two chains whose wallets sign in. */
    readonly contracts?: readonly [Contracts, Contracts]
  } = {},
): Promise<DashboardWorld> => {
  const { beside, master = '7'.repeat(64), listenHost = '127.0.0.1', contracts, ...option } = options
  const database = beside?.database ?? (await createTestDatabase({ packages: apiKeyTables }))
  let offset = 0
  const clock = { now: () => (beside?.now() ?? Date.now()) + offset }
  const keys = new EnvironmentKeys(new Map([['master' as const, `0x${master}`]]))
  const stop = new AbortController()
  const { pool } = database
  const registry = chains(contracts ?? [new Map(), new Map()])
  const { routes } = openDashboard({
    ...{ pool, clock, keys, chains: registry },
    signatures: new ChainWalletSignatures({ chains: registry }),
    deployment: {
      ...{ network: 'testnet', serviceName: 'relay', version: '1.0.0' },
      listener: { host: listenHost, tls: false },
    },
    // CAST: only `false` has none.
    settings: dashboardSettings(option) as DashboardSettings,
    maxKeys: 50,
    uses: () => null,
    limits: () => null,
    signal: stop.signal,
  })
  const server = await startTestServer(routes)
  const { url } = server.server
  const call: DashboardWorld['call'] = async (path, { method, body, headers = {} } = {}) => {
    const answer = await sendRaw(`${url}${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return {
      status: answer.status,
      body: JSON.parse(answer.text),
      text: answer.text,
      cookies: answer.headers['set-cookie'] ?? [],
      cacheControl: answer.headers['cache-control'],
    }
  }
  return {
    url,
    database,
    tick: (milliseconds) => {
      offset += milliseconds
    },
    now: () => clock.now(),
    call,
    as: ({ cookie, csrfToken }, path, { headers, ...rest } = {}) =>
      call(path, { ...rest, headers: { cookie, 'x-csrf-token': csrfToken, ...headers } }),
    operatorToken: async () => {
      const lines: string[] = []
      const [command] = dashboardCommands({ pool, clock, keys })
      await command?.run({ arguments: [], options: {}, print: (line) => void lines.push(line) })
      return /^token: +(\S+)$/m.exec(lines.join('\n'))?.[1] ?? ''
    },
    logged: server.logged,
    close: async () => {
      stop.abort()
      await server.close()
      if (beside === undefined) await database.drop()
    },
  }
}

/** The message that a page of the deployment would have a wallet sign, with a fresh nonce. */
export const siweMessage = async (
  world: DashboardWorld,
  wallet: { readonly address: Hex },
  change: Partial<SiweMessage> = {},
): Promise<string> => {
  const { body } = await world.call('/dashboard/api/session/nonce', { method: 'POST' })
  return createSiweMessage({
    address: wallet.address,
    version: '1',
    domain: String(body.domain),
    uri: String(body.uri),
    chainId: CHAIN_ID,
    nonce: String(body.nonce),
    statement: String(body.statement),
    issuedAt: new Date(world.now()),
    ...change,
  })
}

export const sendSignIn = async (
  world: DashboardWorld,
  wallet: TestWallet,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> =>
  world.call('/dashboard/api/session', {
    body: { message, signature: await wallet.signMessage({ message }) },
    headers,
  })

export const personOf = ({ cookies, body }: Answer): Person => ({
  cookie: cookies[0]?.split(';')[0] ?? '',
  csrfToken: String(body.csrfToken),
})

/** @throws Error when the sign-in is refused */
export const signIn = async (world: DashboardWorld, wallet: TestWallet = newWallet()): Promise<Person> => {
  const answer = await sendSignIn(world, wallet, await siweMessage(world, wallet))
  if (answer.status !== 200) throw new Error(answer.text)
  return personOf(answer)
}

export const signInOperator = async (world: DashboardWorld): Promise<Person> =>
  personOf(await world.call('/dashboard/api/session/operator', { body: { token: await world.operatorToken() } }))
