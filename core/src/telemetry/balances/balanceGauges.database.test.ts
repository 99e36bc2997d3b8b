import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { linkFundingWallet } from '../../appBalance/fundingWallets.js'
import { sponsorReservation } from '../../appBalance/sponsorReservation.js'
import { type Chain, ChainRegistry } from '../../chain/chainRegistry.js'
import type { Currency, CurrencyRegistry } from '../../money/currency/currency.js'
import { GroundWorld, NOW, ORIGIN } from '../../payout/groundWorld.test.support.js'
import { recordFinal } from '../../payout/settlement/recordFinal.js'
import { settleEarnings } from '../../payout/settlement/settleEarnings.js'
import { PromMetrics } from '../promMetrics.js'
import { balanceGauges } from './balanceGauges.js'

const WALLET = `0x${'5a'.repeat(20)}`
const DOLLAR = { chainId: 7, currency: 'usd' }
const usd: Currency = {
  chainId: 7,
  address: 'usd',
  symbol: 'USD',
  decimals: 2,
  name: '',
  vmType: 'evm',
  groupId: 'usd',
  metadata: { logoURI: '', verified: true, isNative: false },
}
const currencies: CurrencyRegistry = {
  find: (chainId, address) => (chainId === 7 && address === 'usd' ? usd : undefined),
  native: () => undefined,
  ofChain: () => [],
  all: () => [usd],
}
// CAST: the gauges read nothing else of a chain.
const chains = new ChainRegistry(
  [ORIGIN, 7].map((id) => ({ config: { id, slug: `c${id}` }, adapter: {} }) as unknown as Chain),
)

let world: GroundWorld
beforeAll(async () => {
  world = await GroundWorld.open()
})
afterAll(() => world?.database.drop())

const read = async (
  at = NOW,
  balanceCurrency: { chainId: number; address: string } | null = { chainId: 7, address: 'usd' },
) => {
  const metrics = new PromMetrics({ registry: new Registry(), keepMs: 0 })
  const deps = { pool: world.pool, clock: { now: () => at }, chains, currencies, now: () => performance.now() }
  metrics.addSource(balanceGauges({ ...deps, balanceCurrency }))
  return (await metrics.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}

it('shows zeros where nothing is owed, and no balances where none are kept', async () => {
  const lines = await read()
  expect(lines).toContain('causeway_app_balance{chain="c7",currency="USD",account="app"} 0')
  expect(lines).toContain('causeway_earnings_oldest_seconds{chain="c1"} 0')
  expect((await read(NOW, null)).some((line) => line.startsWith('causeway_app_balance'))).toBe(false)
})

it('shows what is owed by account, what quotes keep, and how long earnings wait to settle', async () => {
  const earnings = {
    ...DOLLAR,
    list: [{ holder: WALLET, kind: 'app' as const, amount: '9', fromDeposit: '9', worth: '1250' }],
  }
  const event = await world.deposit()
  await world.signAndStore(await world.decide(event, 'fill', { earnings }))
  await world.include(event, 'fill')
  expect(await read()).toContain('causeway_earnings_waiting{chain="c1"} 0')
  await world.commit(async (client) => recordFinal(client, [await world.onItsWay(event, 'fill')], [], NOW))
  const waiting = await read(NOW + 90_000)
  expect(waiting).toContain('causeway_app_balance{chain="c7",currency="USD",account="earned"} 12.5')
  expect(waiting).toContain('causeway_earnings_waiting{chain="c1"} 1')
  const oldest = waiting.find((line) => line.startsWith('causeway_earnings_oldest_seconds{chain="c1"}'))
  expect(Number(oldest?.split(' ')[1])).toBeGreaterThanOrEqual(90)
  await settleEarnings(world.pool, { chainId: ORIGIN, height: 100n }, NOW)
  const { requestId } = await world.quote()
  const terms = { ...DOLLAR, wallet: WALLET, amount: 1_000n, fees: 0n, rateCost: 0n }
  await linkFundingWallet(world.pool, { integratorId: 'a', wallet: WALLET, now: NOW })
  const { text, values } = sponsorReservation(requestId, terms, { integratorId: 'a', now: NOW, until: NOW + 30_000 })
  await world.pool.query(`with stored as (select 1), reserved as (${text}) select 1`, [...values])
  const settled = await read()
  expect(settled).toContain('causeway_app_balance{chain="c7",currency="USD",account="app"} 12.5')
  expect(settled).toContain('causeway_earnings_waiting{chain="c1"} 0')
  expect(settled).toContain('causeway_sponsor_reserved{chain="c7",currency="USD"} 10')
  expect(settled).toContain('causeway_sponsor_reservations{chain="c7",currency="USD"} 1')
  expect(await read(NOW + 31_000)).toContain('causeway_sponsor_reservations{chain="c7",currency="USD"} 0')
})
