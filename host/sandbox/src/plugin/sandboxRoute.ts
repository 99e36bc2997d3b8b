import type { CurrencyRegistry } from '@causeway/core'
import {
  AddressText,
  type Chain,
  ChainId,
  type ChainRegistry,
  defineRoute,
  MessageSchema,
  type PermitSupport,
  type Route,
} from '@causeway/core/plugin'
import { type Static, Type } from '@sinclair/typebox'
import { CHAIN_PLANS } from '../chainPlans.js'
import type { RecordedChain, SandboxState } from '../state/sandboxState.js'
import { READS } from './localCalls.js'
import type { RunningSandbox } from './runningSandbox.js'

export interface SandboxRouteDeps {
  readonly sandbox: RunningSandbox
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
  readonly permits: PermitSupport
}

/** A currency as the page shows it. */
export const PageCurrency = Type.Object({
  address: AddressText(),
  symbol: Type.String(),
  name: Type.String(),
  decimals: Type.Integer({ minimum: 0 }),
})

const Features = Type.Object(
  {
    depositAddresses: Type.Boolean({ description: 'Quotes may give an address to pay to (`useDepositAddress`).' }),
    permits: Type.Array(AddressText(), {
      description: 'Currencies that a signature alone deposits (`usePermit`).',
    }),
    gasless: Type.Boolean({
      description: 'The service sends transactions for accounts without gas (`POST /execute`).',
    }),
  },
  { description: 'Of routes that begin on this chain.' },
)

const PageChain = Type.Object({
  id: ChainId(),
  name: Type.String(),
  displayName: Type.String(),
  vmType: Type.String(),
  currencies: Type.Array(PageCurrency),
  unlisted: Type.Array(PageCurrency, { description: 'Tokens that swaps alone reach.' }),
  features: Features,
})

const SandboxAnswer = Type.Object(
  {
    chains: Type.Array(PageChain),
    accounts: Type.Array(
      Type.Object({
        chainId: ChainId(),
        address: AddressText(),
        label: Type.String(),
        sponsor: Type.Boolean({ description: 'Its balance pays for the integrator of the demo key.' }),
      }),
    ),
    mainnetIds: Type.Boolean({
      description: 'Whether a chain here has the id of a real network, where a wallet of a person must not sign.',
    }),
    host: Type.Object({
      pid: Type.Integer({ description: 'Of the process that serves this and pays.' }),
      startedAt: Type.Union([Type.String(), Type.Null()], { description: 'ISO 8601.' }),
      restarts: Type.Integer({ minimum: 0, description: 'How often it was started again.' }),
      restartedAt: Type.Union([Type.String(), Type.Null()], { description: 'ISO 8601, of the last restart.' }),
    }),
  },
  { title: 'TrySandbox' },
)

type Answer = Static<typeof SandboxAnswer>

const OWN_IDS: ReadonlySet<number> = new Set(CHAIN_PLANS.map(({ id }) => id))

/** Whether a chain has another id than the sandbox gives its own: those are of no real network. */
export const hasForeignIds = (chains: readonly Pick<RecordedChain, 'id'>[]): boolean =>
  chains.some(({ id }) => !OWN_IDS.has(id))

const currencyJson = ({ address, symbol, name, decimals }: Static<typeof PageCurrency>) => ({
  address,
  symbol,
  name,
  decimals,
})

const featuresOf = async (
  { currencies, permits }: SandboxRouteDeps,
  chain: Chain | undefined,
): Promise<Static<typeof Features>> => {
  if (chain === undefined) return { depositAddresses: false, permits: [], gasless: false }
  const { adapter, config } = chain
  return {
    depositAddresses: adapter.depositAddresses !== undefined,
    permits: [...(await permits.of(chain, currencies.ofChain(config.id)))].flatMap(([address, way]) =>
      way === 'permit' ? [address] : [],
    ),
    gasless: config.originSender !== undefined,
  }
}

const accountsOf = ({ accounts, sponsor }: SandboxState): Answer['accounts'] => {
  const seen = new Map<number, number>()
  return accounts.map(({ chainId, address }) => {
    const number = (seen.get(chainId) ?? 0) + 1
    seen.set(chainId, number)
    const isSponsor = address === sponsor
    return { chainId, address, label: `User ${number}${isSponsor ? ' (sponsor)' : ''}`, sponsor: isSponsor }
  })
}

const hostOf = ({ hostStarts }: SandboxState): Answer['host'] => {
  const restarts = Math.max(0, (hostStarts?.count ?? 1) - 1)
  const startedAt = hostStarts?.lastAt ?? null
  return { pid: process.pid, startedAt, restarts, restartedAt: restarts === 0 ? null : startedAt }
}

/** `GET /try/api/sandbox`: what there is to try. */
export const sandboxRoute = (deps: SandboxRouteDeps): Route =>
  defineRoute({
    ...READS,
    path: '/try/api/sandbox',
    summary: 'What the sandbox has',
    description: 'Chains, accounts and the process of the host. No key of any account.',
    responses: { 200: SandboxAnswer, 403: MessageSchema },
    handler: async (): Promise<Answer> => {
      const state = deps.sandbox.state()
      const chains = state.chains.map(async ({ id, name, vmType, currencies, unlisted }) => {
        const chain = deps.chains.find(id)
        return {
          id,
          name,
          displayName: chain?.config.name ?? name,
          vmType,
          currencies: currencies.map(currencyJson),
          unlisted: unlisted.map(currencyJson),
          features: await featuresOf(deps, chain),
        }
      })
      return {
        chains: await Promise.all(chains),
        accounts: accountsOf(state),
        mainnetIds: hasForeignIds(state.chains),
        host: hostOf(state),
      }
    },
  })
