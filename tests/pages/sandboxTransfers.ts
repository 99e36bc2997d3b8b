import { callApi, listAt, textAt, valueAt } from '../harness/apiCall.js'
import { until } from '../harness/until.js'
import type { SandboxWorld } from './sandboxWorld.js'

/** What is to be moved: chains by their names, what is given in smallest units of its first currency or of the one that is named. */
export interface SandboxRoute {
  readonly from: string
  readonly to: string
  readonly amount: string
  readonly symbol?: string
  /** More for the body of the quote. */
  readonly more?: Readonly<Record<string, unknown>>
}

const chainOf = (world: SandboxWorld, name: string) => {
  const chain = world.info().chains.find((each) => each.name === name)
  if (chain === undefined) throw new Error(`The sandbox has no chain ${name}`)
  return chain
}

const accountOf = (world: SandboxWorld, name: string, at: number): string => {
  const { id } = chainOf(world, name)
  const account = world.info().accounts.filter(({ chainId }) => chainId === id)[at]
  if (account === undefined) throw new Error(`${name} has no account ${at}`)
  return account.address
}

const currencyOf = (world: SandboxWorld, name: string, symbol: string | undefined): string => {
  const { currencies } = chainOf(world, name)
  const currency = symbol === undefined ? currencies[0] : currencies.find((each) => each.symbol === symbol)
  if (currency === undefined) throw new Error(`${name} has no currency ${symbol}`)
  return currency.address
}

/** The body of a quote between the sandbox's own accounts. */
export const quoteBody = (world: SandboxWorld, { from, to, amount, symbol, more }: SandboxRoute) => ({
  user: accountOf(world, from, 1),
  recipient: accountOf(world, to, 2),
  originChainId: chainOf(world, from).id,
  destinationChainId: chainOf(world, to).id,
  originCurrency: currencyOf(world, from, symbol),
  destinationCurrency: currencyOf(world, to, symbol),
  amount,
  tradeType: 'EXACT_INPUT',
  ...more,
})

/** A quote of the demo integrator. */
export const quoteIn = async (world: SandboxWorld, route: SandboxRoute): Promise<unknown> => {
  const { apiKey, baseUrl } = world.info()
  const answer = await callApi(baseUrl, '/quote', { body: quoteBody(world, route), apiKey })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body
}

/** Pays a quote as its sender; the id of its request. */
export const payIn = async (world: SandboxWorld, quote: unknown): Promise<string> => {
  const answer = await callApi(world.info().baseUrl, '/try/api/pay', { body: { quote } })
  if (answer.status !== 200) throw new Error(answer.text)
  return textAt(quote, 'requestId')
}

export const statusIn = async (world: SandboxWorld, requestId: string): Promise<unknown> =>
  valueAt((await callApi(world.info().baseUrl, `/intents/status/v3?requestId=${requestId}`)).body, 'status')

export const endsIn = (world: SandboxWorld, requestId: string, status: string): Promise<true> =>
  until(
    `${requestId} to be ${status}`,
    async () => ((await statusIn(world, requestId)) === status ? true : null),
    90_000,
  )

/** A transfer from its quote to its end; the id of its request. */
export const transferIn = async (world: SandboxWorld, route: SandboxRoute): Promise<string> => {
  const requestId = await payIn(world, await quoteIn(world, route))
  await endsIn(world, requestId, 'success')
  return requestId
}

/** A payment that gets stuck, as its payer knows of it. */
export interface Trouble {
  readonly transactionId: string
  readonly account: string
  readonly requestId: string | null
}

export const troubleIn = async (
  world: SandboxWorld,
  kind: 'underpay' | 'unknown-order' | 'closed-recipient',
): Promise<Trouble> => {
  const { status, text, body } = await callApi(world.info().baseUrl, '/try/api/trouble', { body: { kind } })
  if (status !== 200) throw new Error(text)
  const requestId = valueAt(body, 'requestId')
  return {
    transactionId: textAt(body, 'transactionId'),
    account: textAt(body, 'account'),
    requestId: typeof requestId === 'string' ? requestId : null,
  }
}

/** What an account of the sandbox holds of each currency of a chain, in smallest units by symbol. */
export const balancesIn = async (
  world: SandboxWorld,
  chain: string,
  account: string,
): Promise<ReadonlyMap<string, bigint>> => {
  const path = `/try/api/accounts/${chainOf(world, chain).id}/${account}/balances`
  const { body } = await callApi(world.info().baseUrl, path)
  return new Map(listAt(body, 'currencies').map((each) => [textAt(each, 'symbol'), BigInt(textAt(each, 'amount'))]))
}
