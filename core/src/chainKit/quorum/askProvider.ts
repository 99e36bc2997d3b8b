import { ServiceError } from '../../errors/serviceError.js'

/** Other endpoints of one provider. */
export interface ProviderEndpoints<Endpoint> {
  /** Trusted endpoints of the same provider, in the order to try them; absent: a provider has one. */
  othersOf?(endpoint: Endpoint): readonly Endpoint[]
}

/**
 * The answer of a provider: of its endpoint, or of its next one where that does not answer. Their votes are one.
 * @throws ServiceError the last failure when none of them answers
 */
export const askProvider = async <Endpoint, Answer>(
  pool: ProviderEndpoints<Endpoint>,
  endpoint: Endpoint,
  question: (endpoint: Endpoint) => Promise<Answer>,
): Promise<Answer> => {
  let failure: unknown = null
  for (const each of [endpoint, ...(pool.othersOf?.(endpoint) ?? [])]) {
    try {
      return await question(each)
    } catch (error) {
      if (!ServiceError.is(error)) throw error
      failure = error
    }
  }
  throw failure
}
