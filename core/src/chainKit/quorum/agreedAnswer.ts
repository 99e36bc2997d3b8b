import { ServiceError } from '../../errors/serviceError.js'
import { askProvider, type ProviderEndpoints } from './askProvider.js'
import { tooFewAnswers } from './askProviders.js'

/**
 * The answer that `agreeing` trusted providers give alike, as soon as so many have: one that hangs holds nothing up. For what a stranger's
 * program answers, which may tell each node something else on purpose: nobody is told of it, and no node is blamed.
 * @throws ServiceError SERVICE_UNAVAILABLE when fewer answer, or no answer has so many votes
 */
export const agreedAnswer = <Endpoint, Answer extends string>(
  pool: { readonly providers: readonly Endpoint[] } & ProviderEndpoints<Endpoint>,
  agreeing: number,
  question: (endpoint: Endpoint) => Promise<Answer>,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { providers } = pool
    if (providers.length < agreeing) return reject(tooFewAnswers())
    const votes = new Map<Answer, number>()
    const asked = providers.map(async (endpoint) => {
      const answer = await askProvider(pool, endpoint, question)
      const count = (votes.get(answer) ?? 0) + 1
      votes.set(answer, count)
      if (count >= agreeing) resolve(answer)
    })
    for (const each of asked) each.catch((error: unknown) => ServiceError.is(error) || reject(error))
    // Nothing happens here where the answer was given before.
    void Promise.allSettled(asked).then((ended) => {
      const answered = ended.filter(({ status }) => status === 'fulfilled').length
      reject(answered < agreeing ? tooFewAnswers() : differing())
    })
  })

const differing = (): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', 'The nodes of this chain do not say the same. Try again later.')
