import { hearProviders, leastAnswers, tooFewAnswers } from '../../chainKit/quorum/askProviders.js'
import { ServiceError } from '../../errors/serviceError.js'
import type { Chain } from '../chainRegistry.js'
import type { Diagnosis, DiagnosisRequest } from '../endpoint/diagnosis.js'
import { type CurrencyDifference, compareCurrencies } from './compareCurrencies.js'

/** How a chain differs from its configuration. */
export interface ChainComparison {
  readonly currencies: readonly CurrencyDifference[]
  readonly contracts: readonly Diagnosis[]
  /** Differences that only a minority of the providers shows, as "provider: what". */
  readonly doubted: readonly string[]
}

type Expected = Pick<DiagnosisRequest, 'allocator'>

interface Answer extends Pick<ChainComparison, 'currencies' | 'contracts'> {
  readonly provider: string
}

/**
 * Compares currencies and contracts of a chain with its configuration, at every trusted provider. A difference counts if more than half of
 * the providers that answer show it; a single answer of several configured providers is believed if it agrees with the configuration.
 * @throws ServiceError SERVICE_UNAVAILABLE when no node answers, or as many providers show a difference as do not
 */
export const compareChain = async (chain: Chain, expected: Expected): Promise<ChainComparison> => {
  const { adapter } = chain
  const views = adapter.providerViews?.() ?? null
  if (views === null || views.providerCount < 2) {
    const [currencies, contracts] = await Promise.all([
      compareCurrencies(chain),
      adapter.verifyContracts?.(expected) ?? [],
    ])
    return { currencies, contracts, doubted: [] }
  }
  const answers = await hearProviders(views, async (view): Promise<Answer> => {
    const readTokens = view.readTokens?.bind(view)
    const [currencies, contracts] = await Promise.all([
      compareCurrencies(chain, readTokens),
      view.verifyContracts(expected),
    ])
    return { provider: view.provider, currencies, contracts: contracts.filter(({ state }) => state !== 'ok') }
  })
  if (answers.length === 0) throw tooFewAnswers()
  return agreed(answers, leastAnswers(views))
}

/** One difference as providers show it. Two providers that state other values of one field show the same difference. */
interface Shown<Item> {
  readonly item: Item
  readonly key: string
  readonly provider: string
}

const agreed = (answers: readonly Answer[], least: number): ChainComparison => {
  const currencies = answers.flatMap(({ provider, currencies }) =>
    currencies.map((item) => ({ item, key: `${item.at} ${item.field}`, provider })),
  )
  const contracts = answers.flatMap(({ provider, contracts }) =>
    contracts.map((item) => ({ item, key: `${item.check} ${item.subject}`, provider })),
  )
  const [sure, verified] = [split(currencies, answers.length, least), split(contracts, answers.length, least)]
  const doubted = [...sure.doubted, ...verified.doubted].map(
    ({ item, provider, key }) => `${provider}: ${'subject' in item ? item.subject : `currency ${key}`} ${item.message}`,
  )
  return { currencies: sure.believed, contracts: verified.believed, doubted }
}

const split = <Item extends { readonly state: Diagnosis['state'] }>(
  shown: readonly Shown<Item>[],
  answers: number,
  least: number,
): { readonly believed: readonly Item[]; readonly doubted: readonly Shown<Item>[] } => {
  const votes = new Map<string, Shown<Item>[]>()
  for (const one of shown) votes.set(one.key, [...(votes.get(one.key) ?? []), one])
  const groups = [...votes.values()]
  const isBelieved = (group: readonly unknown[]) => group.length * 2 > answers && answers >= least
  const isOpen = (group: readonly Shown<Item>[]) =>
    !isBelieved(group) && group.length * 2 >= answers && group.some(({ item }) => item.state === 'fault')
  if (groups.some(isOpen)) throw differing()
  return {
    believed: groups.filter(isBelieved).flatMap((group) => mostShown(group)),
    doubted: groups.filter((group) => !isBelieved(group)).flat(),
  }
}

/** Of the values that a majority states, the one that most of it state. */
const mostShown = <Item>(group: readonly Shown<Item>[]): readonly Item[] => {
  const text = ({ item }: Shown<Item>) => JSON.stringify(item)
  const count = (one: Shown<Item>) => group.filter((other) => text(other) === text(one)).length
  const [best] = [...group].sort((left, right) => count(right) - count(left))
  return best === undefined ? [] : [best.item]
}

const differing = (): ServiceError =>
  new ServiceError(
    'SERVICE_UNAVAILABLE',
    'The providers of this chain differ on its currencies or contracts. Try again later.',
  )
