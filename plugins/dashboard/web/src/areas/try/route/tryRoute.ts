import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { hrefOf } from '../../../shell/hrefOf.js'
import type { Sandbox, SandboxChain, SandboxCurrency } from '../sandbox/sandbox.js'
import { readAmount } from './amountInput.js'
import { usualAmount } from './usualAmount.js'

export const WAYS = ['deposit', 'address', 'gasless'] as const
export type Way = (typeof WAYS)[number]
export const TRADE_TYPES = ['EXACT_INPUT', 'EXACT_OUTPUT'] as const
export type TradeType = (typeof TRADE_TYPES)[number]

/** What was chosen, complete: whatever the address leaves out or names wrongly has its usual value. */
export interface TryRoute {
  readonly from: SandboxChain
  readonly to: SandboxChain
  readonly currencyIn: SandboxCurrency
  readonly currencyOut: SandboxCurrency
  /** As it was written. */
  readonly amount: string
  readonly tradeType: TradeType
  readonly way: Way
  readonly payer: string
  readonly recipient: string
}

/** Names in the address, each with its text. */
export interface RouteSearch {
  readonly from?: string
  readonly to?: string
  readonly in?: string
  readonly out?: string
  readonly amount?: string
  readonly exact?: string
  readonly way?: string
  readonly payer?: string
  readonly recipient?: string
}

export const currenciesOf = ({ currencies, unlisted }: SandboxChain): readonly SandboxCurrency[] => [
  ...currencies,
  ...unlisted,
]

export const accountsOn = ({ accounts }: Sandbox, chain: SandboxChain) =>
  accounts.filter(({ chainId }) => chainId === chain.id)

/** Ways to pay that a route has. A signature needs a token that takes one; an address takes what the service knows. */
export const waysOf = ({ from, currencyIn, tradeType }: Omit<TryRoute, 'way'>): readonly Way[] => {
  const { depositAddresses, permits } = from.features
  const isListed = from.currencies.includes(currencyIn)
  return WAYS.filter(
    (way) =>
      way === 'deposit' ||
      (way === 'address' && depositAddresses && isListed && tradeType === 'EXACT_INPUT') ||
      (way === 'gasless' && permits.some((address) => address.toLowerCase() === currencyIn.address.toLowerCase())),
  )
}

const usual = (chain: SandboxChain): SandboxCurrency | undefined =>
  chain.currencies.find(({ symbol }) => symbol === 'USDC') ?? chain.currencies[0]

const oneOf = <Text extends string>(texts: readonly Text[], text: string | undefined, other: Text): Text =>
  texts.find((each) => each === text) ?? other

/** An account of the sandbox counts on its own chain only; whatever else was written is somebody's address. */
const recipientOf = ({ accounts }: Sandbox, there: readonly string[], written: string | undefined): string => {
  const isElsewhere = !there.includes(written ?? '') && accounts.some(({ address }) => address === written)
  return written === undefined || isElsewhere ? (there[0] ?? '') : written
}

/** Which currency the amount is of. */
export const amountCurrency = ({
  tradeType,
  currencyIn,
  currencyOut,
}: Pick<TryRoute, 'tradeType' | 'currencyIn' | 'currencyOut'>): SandboxCurrency =>
  tradeType === 'EXACT_INPUT' ? currencyIn : currencyOut

/** Null where the sandbox has no two chains. */
export const routeOf = (sandbox: Sandbox, search: RouteSearch): TryRoute | null => {
  const { chains } = sandbox
  const from = chains.find(({ id }) => String(id) === search.from) ?? chains[0]
  const to =
    chains.find(({ id }) => String(id) === search.to && id !== from?.id) ?? chains.find(({ id }) => id !== from?.id)
  if (from === undefined || to === undefined) return null
  const currencyIn = currenciesOf(from).find(({ address }) => address === search.in) ?? usual(from)
  const currencyOut = currenciesOf(to).find(({ address }) => address === search.out) ?? usual(to)
  if (currencyIn === undefined || currencyOut === undefined) return null
  const tradeType = oneOf(TRADE_TYPES, search.exact, 'EXACT_INPUT')
  const payers = accountsOn(sandbox, from).map(({ address }) => address)
  const recipients = accountsOn(sandbox, to).map(({ address }) => address)
  const chosen = {
    from,
    to,
    currencyIn,
    currencyOut,
    tradeType,
    amount: search.amount ?? usualAmount(amountCurrency({ tradeType, currencyIn, currencyOut })),
    payer: oneOf(payers, search.payer, payers[0] ?? ''),
    recipient: recipientOf(sandbox, recipients, search.recipient),
  }
  return { ...chosen, way: oneOf(waysOf(chosen), search.way, 'deposit') }
}

/** Body of `POST /quote`; null while the amount or the recipient is none. */
export const quoteBodyOf = (route: TryRoute, payer: string = route.payer): Readonly<Record<string, unknown>> | null => {
  const amount = readAmount(route.amount, amountCurrency(route).decimals)
  if (typeof amount !== 'bigint' || route.recipient.trim() === '') return null
  return {
    user: payer,
    recipient: route.recipient.trim(),
    originChainId: route.from.id,
    destinationChainId: route.to.id,
    originCurrency: route.currencyIn.address,
    destinationCurrency: route.currencyOut.address,
    amount: amount.toString(),
    tradeType: route.tradeType,
    refundTo: payer,
    ...(route.way === 'address' ? { useDepositAddress: true } : {}),
    ...(route.way === 'gasless' ? { usePermit: true } : {}),
  }
}

const NAMES = ['from', 'to', 'in', 'out', 'amount', 'exact', 'way', 'payer', 'recipient'] as const

/**
 * What was chosen, as the address of the page says it at first, and how to change it. The address follows: what is written in a
 * field must not wait for it.
 */
export const useRouteSearch = (): readonly [RouteSearch, (change: RouteSearch) => void] => {
  const found: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const [search, setSearch] = useState<RouteSearch>(() =>
    Object.fromEntries(NAMES.filter((name) => found[name] !== undefined).map((name) => [name, String(found[name])])),
  )
  const change = (part: RouteSearch) => {
    const next = { ...search, ...part }
    setSearch(next)
    // CAST: names of this page alone; the router knows none of them.
    void navigate({ to: hrefOf(''), search: next as never, replace: true, resetScroll: false })
  }
  return [search, change]
}
