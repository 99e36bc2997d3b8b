import { BoundedCache, formatAmount } from '@causeway/core'
import {
  AddressText,
  AmountText,
  type Chain,
  ChainId,
  type ChainRegistry,
  defineRoute,
  HttpError,
  MessageSchema,
  type Route,
} from '@causeway/core/plugin'
import { type Static, Type } from '@sinclair/typebox'
import type { RecordedChain } from '../state/sandboxState.js'
import { READS } from './localCalls.js'
import type { RunningSandbox } from './runningSandbox.js'
import { PageCurrency } from './sandboxRoute.js'

const KEEP_MS = 1_000
/** More than a sandbox has accounts. */
const MAX_KEPT = 100

export interface BalancesRouteDeps {
  readonly sandbox: RunningSandbox
  readonly chains: ChainRegistry
}

const Params = Type.Object({ chainId: ChainId(), address: AddressText() })

const BalancesAnswer = Type.Object(
  {
    chainId: ChainId(),
    address: AddressText(),
    currencies: Type.Array(
      Type.Object({
        ...PageCurrency.properties,
        amount: Type.Union([AmountText(), Type.Null()], { description: 'Null: the chain does not tell it.' }),
        amountFormatted: Type.Union([Type.String(), Type.Null()], { description: 'In whole units.' }),
      }),
    ),
  },
  { title: 'TryBalances' },
)

type Balances = Static<typeof BalancesAnswer>

/** One batched read of the chain. */
const readBalances = async (
  chain: Chain,
  { currencies, unlisted }: RecordedChain,
  address: string,
): Promise<Balances> => {
  const shown = [...currencies, ...unlisted]
  const { amounts } = await chain.adapter.getBalances(
    shown.map((currency) => ({ address, currency: currency.address })),
  )
  return {
    chainId: chain.config.id,
    address,
    currencies: shown.map(({ address: currency, symbol, name, decimals }, at) => {
      const amount = amounts[at] ?? null
      return {
        address: currency,
        symbol,
        name,
        decimals,
        amount: amount === null ? null : amount.toString(),
        amountFormatted: amount === null ? null : formatAmount(amount, decimals),
      }
    }),
  }
}

/** `GET /try/api/accounts/:chainId/:address/balances`: what an account of the sandbox holds. */
export const balancesRoute = ({ sandbox, chains }: BalancesRouteDeps): Route => {
  const now = () => performance.now()
  const kept = new BoundedCache<Balances>({ clock: { now }, maxEntries: MAX_KEPT, lifeOf: () => KEEP_MS })
  return defineRoute({
    ...READS,
    path: '/try/api/accounts/:chainId/:address/balances',
    summary: 'What an account of the sandbox holds',
    description: 'One batched read of the chain, told again for a second.',
    params: Params,
    responses: { 200: BalancesAnswer, 403: MessageSchema, 404: MessageSchema },
    handler: ({ params }) => {
      const state = sandbox.state()
      const wanted = params.address.toLowerCase()
      const recorded = state.chains.find(({ id }) => id === params.chainId)
      const chain = chains.find(params.chainId)
      const account = state.accounts.find(
        ({ chainId, address }) => chainId === params.chainId && address.toLowerCase() === wanted,
      )
      if (recorded === undefined || chain === undefined || account === undefined)
        throw new HttpError(404, 'The sandbox has no such account on that chain')
      const { address } = account
      return kept.get(`${params.chainId}:${address}`, () => readBalances(chain, recorded, address))
    },
  })
}
