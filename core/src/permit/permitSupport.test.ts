import { describe, expect, it } from 'vitest'
import type { ChainAdapter } from '../chain/chainAdapter.js'
import type { ChainConfig } from '../chain/chainConfig.js'
import type { Chain } from '../chain/chainRegistry.js'
import type { PermitWay } from '../chain/origin/signedDeposits.js'
import type { Currency } from '../money/currency/currency.js'
import { PermitSupport } from './permitSupport.js'

const currency = (address: string, isNative = false): Currency => ({
  chainId: 1,
  address,
  symbol: address,
  name: address,
  decimals: 6,
  vmType: 'any',
  groupId: address,
  metadata: { logoURI: '', verified: true, isNative },
})
const HELD = [currency('coin', true), currency('signed'), currency('plain'), currency('told'), currency('denied')]
const HANDLER = { kinds: ['eip3009'], execute: async () => ({ message: '' }) }

/** A chain that is asked through `supported`; undefined: it has no deposits by signature. */
const chainOf = (supported?: (asked: readonly string[]) => Promise<readonly (PermitWay | null)[]>): Chain => ({
  // CAST: nothing else is read.
  config: {
    id: 1,
    enabled: true,
    originSender: 'sender',
    currencies: [
      { address: 'TOLD', supportsPermit: true },
      { address: 'DENIED', supportsPermit: false },
      { address: 'SIGNED' },
    ],
  } as unknown as ChainConfig,
  adapter: {
    normalizeCurrency: (text: string) => text.toLowerCase(),
    ...(supported === undefined ? {} : { signedDeposits: { supported } }),
  } as unknown as ChainAdapter,
})

describe('supportsPermit (wire.md 4.6, F.2)', () => {
  it('is learned of the chain in one question, kept, and the configuration’s word goes first', async () => {
    const asked: (readonly string[])[] = []
    const chain = chainOf(async (addresses) => {
      asked.push(addresses)
      return addresses.map((address) => (address === 'signed' ? 'permit' : null))
    })
    let now = 0
    const support = new PermitSupport({ handlers: [HANDLER], now: () => now })
    const answers = await Promise.all([support.of(chain, HELD), support.of(chain, HELD)])
    for (const answer of answers)
      expect([...answer]).toEqual([
        ['signed', 'permit'],
        ['told', 'permit'],
      ])
    now = 599_000
    await support.of(chain, HELD)
    expect(asked).toEqual([['signed', 'plain', 'told']])
    now = 601_000
    expect([...(await support.of(chain, HELD)).keys()]).toEqual(['signed', 'told'])
    expect(asked).toHaveLength(2)
  })

  it('is false of everything that nobody takes signatures for, but of what the configuration says', async () => {
    const takesAll = chainOf(async (addresses) => addresses.map(() => 'permit2' as const))
    const other = { ...HANDLER, kinds: ['claim'] }
    for (const [handlers, chain] of [
      [[other], takesAll],
      [[], takesAll],
      [[HANDLER], chainOf()],
    ] as const) {
      const support = new PermitSupport({ handlers, now: () => 0 })
      expect([...(await support.of(chain, HELD)).keys()]).toEqual(['told'])
    }
  })

  it('says what was learned last while no node tells, and asks again soon', async () => {
    let isDown = true
    let now = 0
    const chain = chainOf(async (addresses) => {
      if (isDown) throw new Error('no node answers')
      return addresses.map(() => 'permit2' as const)
    })
    const support = new PermitSupport({ handlers: [HANDLER], now: () => now })
    expect([...(await support.of(chain, HELD)).keys()]).toEqual(['told'])
    isDown = false
    now = 11_000
    await support.of(chain, HELD)
    await expect.poll(async () => [...(await support.of(chain, HELD)).values()]).toEqual(Array(3).fill('permit2'))
    isDown = true
    now = 700_000
    await support.of(chain, HELD)
    expect([...(await support.of(chain, HELD)).keys()]).toEqual(['signed', 'plain', 'told'])
  })

  it('nobody waits long for a node that hangs', async () => {
    const support = new PermitSupport({ handlers: [HANDLER], now: () => 0 })
    expect([
      ...(
        await support.of(
          chainOf(() => new Promise(() => undefined)),
          HELD,
        )
      ).keys(),
    ]).toEqual(['told'])
  })
})
