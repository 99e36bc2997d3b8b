import { randomBytes } from 'node:crypto'
import type { ChainAdapter } from '@causeway/core'
import { type ConformanceHarness, conformanceCases } from '@causeway/core/testing'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ZERO_ADDRESS } from './contracts/addresses.js'
import type { EvmAdapter } from './evmAdapter.js'
import type { LocalAccount } from './testing/localChain.js'
import { privateKeySigner } from './testing/localSigner.js'
import { startTestDeployment, type TestDeployment } from './testing/testDeployment.js'

let deployment: TestDeployment
let adapter: EvmAdapter

beforeAll(async () => {
  deployment = await startTestDeployment(31_190)
  adapter = deployment.adapter()
  await adapter.start(new AbortController().signal)
})
afterAll(async () => {
  await adapter?.stop()
  await deployment?.chain.close()
})

const createHarness = (subject: ChainAdapter): ConformanceHarness => {
  const { chain, token } = deployment
  const [user, solver, allocator] = chain.accounts as readonly [LocalAccount, LocalAccount, LocalAccount]
  return {
    adapter: subject,
    signer: privateKeySigner(solver.privateKey),
    allocator: privateKeySigner(allocator.privateKey),
    user: {
      address: user.address,
      send: async (data) => {
        // CAST: the shape of an EVM step item, wire.md A.5.
        const item = data as { readonly to: string; readonly data: Hex; readonly value: string }
        return chain.send(user, { to: item.to, data: item.data, value: BigInt(item.value) })
      },
    },
    currencies: [ZERO_ADDRESS, token],
    amount: 1_000_000n,
    freshAddress: () => `0x${randomBytes(20).toString('hex')}`,
    foreignAddresses: ['So11111111111111111111111111111111111111112', 'bc1qzmtn0q92ayejt2hpffvlktcpmyy7vvsd06sefu'],
    advance: (blocks) => chain.mine(blocks),
    reorg: (depth) => chain.reorg(depth),
  }
}

/** Runs the kit; returns the names of the rules that the adapter breaks. */
const brokenRules = async (subject: ChainAdapter): Promise<string[]> => {
  const broken: string[] = []
  for (const { name, run } of conformanceCases(createHarness(subject))) {
    await run().catch(() => broken.push(name))
  }
  return broken
}

/** The real adapter with one thing wrong. */
const mutant = (changes: Partial<ChainAdapter>): ChainAdapter =>
  new Proxy(adapter as ChainAdapter, {
    get(target, key) {
      if (key in changes) return Reflect.get(changes, key)
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

describe('the EVM adapter keeps every rule of the kit', () => {
  it('on a real chain, native currency and a token', { timeout: 120_000 }, async () => {
    const failures: string[] = []
    for (const { name, run } of conformanceCases(createHarness(adapter))) {
      await run().catch((error: Error) => failures.push(`${name}: ${error.message}`))
    }
    expect(failures).toEqual([])
  })
})

describe('the kit notices', { timeout: 240_000 }, () => {
  it.each([
    {
      wrong: 'a zero address that is not the native currency',
      rule: 'currencies:',
      changes: (): Partial<ChainAdapter> => ({ normalizeCurrency: () => null }),
    },
    {
      wrong: 'an amount that is not what arrived',
      rule: 'deposits of',
      changes: (): Partial<ChainAdapter> => ({
        async *watch(cursor, signal) {
          for await (const page of adapter.watch(cursor, signal)) {
            yield {
              ...page,
              deposits: page.deposits.map((item) => ({
                ...item,
                money: { ...item.money, amount: item.money.amount + 1n },
              })),
            }
          }
        },
      }),
    },
    {
      wrong: 'success claimed for what was never sent',
      rule: 'payouts of',
      changes: (): Partial<ChainAdapter> => ({
        lane: new Proxy(adapter.lane, {
          get: (target, key) => {
            const value: unknown = Reflect.get(target, key)
            if (key === 'states') {
              return async (attempts: Parameters<ChainAdapter['lane']['states']>[0]) =>
                (await target.states(attempts)).map((state) => ({ ...state, status: 'success' as const }))
            }
            return typeof value === 'function' ? value.bind(target) : value
          },
        }),
      }),
    },
  ])('$wrong', async ({ rule, changes }) => {
    const broken = await brokenRules(mutant(changes()))
    expect(broken.some((name) => name.startsWith(rule))).toBe(true)
  })
})
