import { eitherSignal, sharedController } from '../../questionSignal.js'

/** Requests of one batch that are under way at once. */
const SIDE_BY_SIDE = 16

/**
 * Asks for each item by itself, a few at once, and gives the answers in the order of the items. Throws what the first failure throws;
 * those under way are ended then.
 */
export const askSideBySide = async <Item, Answer>(
  items: readonly Item[],
  ask: (item: Item, signal: AbortSignal) => Promise<Answer>,
  { signal, atOnce = SIDE_BY_SIDE }: { readonly signal: AbortSignal | undefined; readonly atOnce?: number },
): Promise<readonly Answer[]> => {
  const ended = sharedController()
  const asked = eitherSignal(ended.signal, signal)
  const answers: Answer[] = []
  const waiting = [...items.entries()]
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [at, item] = next
      answers[at] = await ask(item, asked.signal)
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work))
    return answers
  } finally {
    waiting.length = 0
    ended.abort()
    asked.release()
  }
}
