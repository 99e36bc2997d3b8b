import { expect, it } from 'vitest'
import type { ChainAdapter, TokenFacts } from '../../chain/chainAdapter.js'
import type { ChainConfig } from '../../chain/chainPackage.js'
import { ChainRegistry } from '../../chain/chainRegistry.js'
import { TokenFactsReader } from './tokenFactsReader.js'

const FACTS: TokenFacts = { symbol: 'REEF', name: 'Reef', decimals: 9 }

it('reads at most 200 tokens of one chain at once, and those of other chains nevertheless', async () => {
  const answers: (() => void)[] = []
  const chain = (id: number) => ({
    // CAST: the reader uses no other member.
    config: { id, enabled: true } as ChainConfig,
    adapter: {
      readToken: () => new Promise<TokenFacts>((resolve) => answers.push(() => resolve(FACTS))),
    } as Partial<ChainAdapter> as ChainAdapter,
  })
  const reader = new TokenFactsReader({ chains: new ChainRegistry([chain(1), chain(2)]), clock: { now: () => 0 } })
  const pending = Array.from({ length: 200 }, (_, at) => reader.read(1, `token ${at}`))
  await expect(reader.read(1, 'one more')).rejects.toThrow('200 tokens of chain 1')
  pending.push(reader.read(2, 'elsewhere'), reader.read(1, 'token 0'))
  for (const answer of answers) answer()
  expect(await Promise.all(pending)).toEqual(pending.map(() => FACTS))
  const again = reader.read(1, 'one more')
  answers.at(-1)?.()
  expect(await again).toEqual(FACTS)
})
