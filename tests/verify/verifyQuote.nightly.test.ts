import { afterAll, beforeAll, it } from 'vitest'
import { expectEachLeafBound } from './boundLeaves.js'
import { KINDS } from './quoteKinds.js'
import { type QuoteWorld, startQuoteWorld } from './quoteWorld.js'

let world: QuoteWorld
beforeAll(async () => {
  world = await startQuoteWorld()
})
afterAll(() => world?.close())

it.each(KINDS)('$name: refused when any leaf of order, signature or steps is another one', async (kind) =>
  expectEachLeafBound(await world.quote(kind), 4),
)
