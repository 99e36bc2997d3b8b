import { coreMigrations } from '@causeway/core/host'
import { type Chain, ChainRegistry, type Command, findAudit } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { IntegratorRules } from './integratorRules.js'
import { migrations } from './migrations.js'
import { ruleCommands } from './ruleCommands.js'
import { putRule, readRules } from './ruleStore.js'

const NOW = 1_800_000_000_000
const ORIGIN_USDC = `0x${'c1'.repeat(20)}`
const RECIPIENT = `0x${'A1'.repeat(20)}`

/** All that the commands ask of a chain: its names and what a currency's canonical text is. */
const chainOf = (id: number): Chain => {
  const normalizeCurrency = (text: string) => (/^0x[0-9a-fA-F]{40}$/.test(text) ? text.toLowerCase() : null)
  // CAST: nothing else is asked.
  return { config: { id, slug: `chain-${id}` }, adapter: { normalizeCurrency } } as unknown as Chain
}

let database: TestDatabase
let commands: readonly Command[]

beforeAll(async () => {
  database = await createTestDatabase({
    packages: [
      { name: '@causeway/core', migrations: coreMigrations },
      { name: '@causeway/plugin-quote', migrations },
    ],
  })
  const chains = new ChainRegistry([chainOf(1), chainOf(2)])
  commands = ruleCommands({ pool: database.pool, clock: { now: () => NOW }, chains })
})
afterAll(() => database.drop())
beforeEach(async () => {
  await database.pool.query('truncate quote_rules')
})

const run = async (word: string, options: Record<string, unknown> = {}, args: readonly string[] = []) => {
  const lines: string[] = []
  const command = commands.find(({ name }) => name === `quote-rules ${word}`)
  await command?.run({ arguments: args, options, print: (line) => void lines.push(line) })
  return lines
}
const set = (options: Record<string, unknown> = {}) =>
  run('set', { integrator: 'one', relayFeeBps: '3', reason: 'agreed', ...options })

describe('quote-rules set', () => {
  it('stores the rule with canonical addresses, and its audit entry', async () => {
    const [line] = await set({
      bucket: 'stable',
      originChain: '1',
      originCurrency: ORIGIN_USDC.toUpperCase().replace('0X', '0x'),
      destinationChain: 'chain-2',
      integratorFeeBps: '4',
      integratorFeeRecipient: RECIPIENT,
      oracleBps: '7',
    })
    const rules = await readRules(database.pool, 'one')
    expect(rules).toEqual([
      {
        ruleId: expect.any(Number),
        integratorId: 'one',
        bucket: 'stable',
        originChainId: 1,
        originCurrency: ORIGIN_USDC,
        destinationChainId: 2,
        relayFeeBps: 3,
        integratorFeeBps: 4,
        integratorFeeRecipient: RECIPIENT.toLowerCase(),
        oracleBps: 7,
      },
    ])
    const ruleId = rules[0]?.ruleId
    expect(line).toContain(`Rule ${ruleId} is set;`)
    expect(await findAudit(database.pool, { subject: `quote rule ${ruleId}`, limit: 9 })).toMatchObject([
      { action: 'quote-rules set', at: NOW, details: { reason: 'agreed', replaced: null, oracleBps: 7 } },
    ])
  })

  it('replaces the rule of the same scope under a new id, and no other', async () => {
    await set()
    await set({ bucket: 'major' })
    await set({ integrator: 'two' })
    const [old] = await readRules(database.pool, 'one')
    const [line] = await set({ relayFeeBps: '0' })
    expect(line).toContain(`in place of rule ${old?.ruleId}`)
    const rules = await readRules(database.pool)
    expect(rules.map((rule) => [rule.integratorId, rule.bucket, rule.relayFeeBps])).toEqual([
      ['one', 'major', 3],
      ['two', 'any', 3],
      ['one', 'any', 0],
    ])
    expect(rules.every(({ ruleId }) => ruleId !== old?.ruleId)).toBe(true)
  })

  it('leaves one rule when two operators set the same scope at once', async () => {
    const rule = { integratorId: 'one', bucket: 'any', integratorFeeBps: 0, integratorFeeRecipient: null } as const
    const put = (relayFeeBps: number) =>
      putRule(database.pool, { ...rule, relayFeeBps, oracleBps: null, reason: 'race' }, { actor: 'tests', now: NOW })
    await Promise.all([1, 2, 3, 4, 5].map(put))
    expect(await readRules(database.pool, 'one')).toHaveLength(1)
  })

  it.each([
    [{ relayFeeBps: undefined }, /--relay-fee-bps a whole number/],
    [{ relayFeeBps: '1001' }, /from 0 to 1000/],
    [{ relayFeeBps: '-1' }, /from 0 to 1000/],
    [{ relayFeeBps: '1.5' }, /whole number/],
    [{ integratorFeeBps: '1e2' }, /--integrator-fee-bps/],
    [{ integratorFeeBps: '5' }, /--integrator-fee-recipient/],
    [{ integratorFeeBps: '5', integratorFeeRecipient: 'somebody' }, /EVM address/],
    [{ oracleBps: '2' }, /at least 3/],
    [{ bucket: 'huge' }, /bridge, stable, major, minor, any/],
    [{ originCurrency: ORIGIN_USDC }, /--origin-chain together/],
    [{ originChain: 'nowhere' }, /not configured/],
    [{ destinationChain: '2', destinationCurrency: 'gold' }, /no currency of/],
    [{ integrator: ' ' }, /--integrator/],
    [{ reason: undefined }, /--reason/],
  ])('refuses %j and stores nothing', async (options, message) => {
    await expect(set(options)).rejects.toThrow(message)
    expect(await readRules(database.pool)).toEqual([])
  })

  it('has a database that refuses what the command line does', async () => {
    const insert = (values: string) =>
      database.pool.query(
        `insert into quote_rules (integrator_id, bucket, origin_chain_id, origin_currency, relay_fee_bps,
           integrator_fee_bps, integrator_fee_recipient, oracle_bps, created_at) values (${values}, now())`,
      )
    await expect(insert(`'one', 'any', null, null, 1001, 0, null, null`)).rejects.toThrow(/check constraint/)
    await expect(insert(`'one', 'any', null, 'a', 1, 0, null, null`)).rejects.toThrow(/check constraint/)
    await expect(insert(`'one', 'any', null, null, 1, 1, null, null`)).rejects.toThrow(/check constraint/)
    await expect(insert(`'one', 'any', null, null, 9, 0, null, 8`)).rejects.toThrow(/check constraint/)
    await insert(`'one', 'any', null, null, 1, 0, null, null`)
    await expect(insert(`'one', 'any', null, null, 2, 0, null, null`)).rejects.toThrow(/unique constraint/)
  })
})

describe('quote-rules list and remove', () => {
  it('lists all, those of one integrator, and as JSON', async () => {
    await set({ originChain: '1', originCurrency: ORIGIN_USDC })
    await set({ integrator: 'two' })
    const [headings, ...rows] = await run('list')
    expect(headings?.split('\t')).toHaveLength(9)
    expect(rows.map((row) => row.split('\t').slice(1, 6))).toEqual([
      ['one', 'any', `1:${ORIGIN_USDC}`, 'any', '3'],
      ['two', 'any', 'any', 'any', '3'],
    ])
    const [json = ''] = await run('list', { integrator: 'two', json: true })
    expect(JSON.parse(json)).toMatchObject([{ integratorId: 'two', relayFeeBps: 3 }])
  })

  it('removes a rule with its audit entry, once', async () => {
    await set()
    const [rule] = await readRules(database.pool)
    const id = String(rule?.ruleId)
    await run('remove', { reason: 'over' }, [id])
    expect(await readRules(database.pool)).toEqual([])
    expect((await findAudit(database.pool, { subject: `quote rule ${id}`, limit: 1 }))[0]).toMatchObject({
      action: 'quote-rules remove',
      details: { reason: 'over', integratorId: 'one', relayFeeBps: 3 },
    })
    await expect(run('remove', { reason: 'over' }, [id])).rejects.toThrow(`There is no rule ${id}`)
    await expect(run('remove', { reason: 'over' }, ['abc'])).rejects.toThrow(/the number/)
    await expect(run('remove', {}, [id])).rejects.toThrow(/--reason/)
  })
})

describe('rulesOf', () => {
  it('gives the rules of one integrator, and a change within five seconds', async () => {
    let now = 0
    const rules = new IntegratorRules({ pool: database.pool, clock: { now: () => now } })
    expect(await rules.rulesOf('one')).toEqual([])
    await set()
    await set({ integrator: 'two' })
    now = 4_999
    expect(await rules.rulesOf('one')).toEqual([])
    now = 5_000
    expect(await rules.rulesOf('one')).toMatchObject([{ integratorId: 'one', relayFeeBps: 3 }])
  })
})
