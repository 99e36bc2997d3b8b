import {
  adapterWith,
  type ConformanceHarness,
  conformanceCases,
  RULE_IDS,
  type RuleId,
  runConformance,
} from '@causeway/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConformanceWorld, startConformanceWorld } from './conformanceWorld.test.support.js'

let world: ConformanceWorld

beforeAll(async () => {
  world = await startConformanceWorld(31190)
})
afterAll(() => world?.close())

describe('the EVM adapter keeps every rule of the kit', () => {
  it('on a real chain, native currency and a token, without a deviation', { timeout: 600_000 }, async () => {
    const lines: string[] = []
    const report = await runConformance(world.harness, { print: (line) => lines.push(line) })
    expect(report.failed, lines.join('\n')).toEqual([])
    expect(report.deviations).toEqual([])
    const tags = ['deposit-tagged', 'payout-tagged']
    const exempt = [
      ...tags,
      ...['payout-shared', 'final-height', 'payout-expired', 'death-asked', 'address-genuine', 'sweep-key'],
    ]
    expect(report.exemptions.map(({ name }) => name)).toEqual(exempt)
    expect(report.passed).toBe(RULE_IDS.length - exempt.length)
    expect(lines).toContain(`${report.passed} passed, 0 failed`)
  })
})

describe('the kit', () => {
  const run = (createAdapter: ConformanceHarness['createAdapter'], rule: RuleId) =>
    conformanceCases({ ...world.harness, createAdapter })
      .find(({ id }) => id === rule)
      ?.run()

  it('F161, F162: notices an adapter that stops at the first endpoint', async () => {
    const firstOnly: ConformanceHarness['createAdapter'] = (rpc) => world.harness.createAdapter(rpc.slice(0, 1))
    for (const rule of ['endpoint-strange', 'endpoint-refusing'] as const)
      await expect(run(firstOnly, rule), rule).rejects.toThrow('does not ask the second endpoint')
  })

  it('F161: notices an adapter that casts what a node answers', async () => {
    const casting: ConformanceHarness['createAdapter'] = async (rpc) => {
      const ask = async (method: string, params: readonly unknown[]) => {
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
        const headers = { 'content-type': 'application/json' }
        const response = await fetch(rpc[0]?.http ?? '', { method: 'POST', headers, body })
        return ((await response.json()) as { result: string }).result
      }
      const cast = adapterWith(() => ({
        getBalances: async ([query]) => ({
          amounts: [BigInt(await ask('eth_getBalance', [query?.address, 'latest']))],
          height: 0n,
        }),
      }))
      return cast(await world.harness.createAdapter(rpc))
    }
    await expect(run(casting, 'endpoint-strange')).rejects.toThrow('something else than a ServiceError')
  })
})

describe('the harness', () => {
  const nameOf = (changes: Partial<ConformanceHarness>, rule: RuleId) =>
    conformanceCases({ ...world.harness, ...changes }).find(({ id }) => id === rule)

  it('must say why an ability is missing', async () => {
    const { reorg: _, ...without } = world.harness
    const [missing] = conformanceCases(without).filter(({ id }) => id === 'deposit-reorg')
    await expect(missing?.run()).rejects.toThrow('declare the deviation "deposit-reorg"')
    const declared = conformanceCases({ ...without, deviations: { 'deposit-reorg': 'blocks are final' } })
    expect(declared.find(({ id }) => id === 'deposit-reorg')?.name).toContain('[deviation: blocks are final]')
  })

  it('cannot deviate from rules that protect money, from unknown ones, or from what it can do', async () => {
    await expect(nameOf({ deviations: { 'payout-once': 'slow' } }, 'payout-once')?.run()).rejects.toThrow(
      'no rule to deviate',
    )
    await expect(nameOf({ deviations: { 'deposit-reorg': 'slow' } }, 'deposit-reorg')?.run()).rejects.toThrow(
      'remove one',
    )
    // CAST: what a caller without types may write.
    const unknown = { 'no-such-rule': 'x' } as Partial<Record<RuleId, string>>
    expect(() => conformanceCases({ ...world.harness, deviations: unknown })).toThrow('knows no rule "no-such-rule"')
  })
})
