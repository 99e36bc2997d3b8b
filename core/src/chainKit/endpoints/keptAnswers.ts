import { BoundedCache } from '../../cache/boundedCache.js'
import { systemClock } from '../../clock/clock.js'

/**
 * Keeps answers of nodes for a time and shares a question among its callers. A failure is never kept.
 * @param most - number of answers that are kept; default 1
 */
export const keptAnswers = <Terms extends readonly string[], Answer>(
  lifeMs: number,
  ask: (...terms: Terms) => Promise<Answer>,
  most = 1,
): ((...terms: Terms) => Promise<Answer>) => {
  const kept = new BoundedCache<Answer>({ clock: systemClock, maxEntries: most, lifeOf: () => lifeMs })
  return (...terms) => kept.get(terms.join(' '), () => ask(...terms))
}
