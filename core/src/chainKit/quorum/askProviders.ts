import { ServiceError } from '../../errors/serviceError.js'
import { askProvider, type ProviderEndpoints } from './askProvider.js'

/** One trusted endpoint of each provider, and how many providers are configured. */
export interface AskedProviders<Endpoint> extends ProviderEndpoints<Endpoint> {
  readonly providers: readonly Endpoint[]
  readonly providerCount: number
}

/** How many providers must answer before what none of them shows counts as absent: two, where so many are configured. */
export const leastAnswers = ({ providerCount }: Pick<AskedProviders<unknown>, 'providerCount'>): number =>
  Math.min(2, providerCount)

/** What the trusted providers that answer say, however few; those that are away are passed over. */
export const hearProviders = async <Endpoint, Answer>(
  asked: Pick<AskedProviders<Endpoint>, 'providers' | 'othersOf'>,
  question: (endpoint: Endpoint) => Promise<Answer>,
): Promise<readonly Answer[]> => {
  const answers = await Promise.allSettled(asked.providers.map((endpoint) => askProvider(asked, endpoint, question)))
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
}

/**
 * The answers of every trusted provider, for what one may hide and another shows. One that is away does not hold the others up for
 * longer than its time limit, and `least` that answer are enough: `leastAnswers` where it is left out.
 * @throws ServiceError SERVICE_UNAVAILABLE when fewer answer, or none
 */
export const askProviders = async <Endpoint, Answer>(
  asked: AskedProviders<Endpoint>,
  question: (endpoint: Endpoint) => Promise<Answer>,
  least = leastAnswers(asked),
): Promise<readonly Answer[]> => {
  const found = await hearProviders(asked, question)
  if (found.length < Math.max(1, least)) throw tooFewAnswers()
  return found
}

/** What is thrown when too few nodes answer for any of them to be believed. */
export const tooFewAnswers = (): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', 'Too few nodes of this chain answer. Try again later.')
