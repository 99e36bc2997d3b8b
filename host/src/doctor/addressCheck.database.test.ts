import type { DepositAddresses } from '@causeway/core/chain'
import { coreMigrations } from '@causeway/core/host'
import { NOT_WORTH_ITS_SWEEP } from '@causeway/core/money-path'
import type { Chain } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { checkAddressChains, checkAddresses } from './addressCheck.js'

const HARBOR = 7
const chains = [{ id: HARBOR, slug: 'harbor' }]

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  return () => database.drop()
})
afterEach(async () => {
  await database.pool.query('truncate deposit_addresses, deposit_address_pool cascade')
})

const run = (text: string, values: readonly unknown[] = []) => database.pool.query(text, [...values])

/** An address whose payment of 100 came so many minutes ago, and what a look so many minutes ago found. */
const paid = async (minutes: number, look: { ago: number; found: number; trouble?: string } | null) => {
  const { rows } = await run(
    `insert into deposit_addresses (chain_id, address, account, type, order_id, request_id, depositor, derivation, currency, created_at, live_until)
     values ($1, 'paid', 'paid', 'open', '\\x01', '\\x01', 'user', 'null', 'coin', now(), now()) returning id`,
    [HARBOR],
  )
  const id = rows[0]?.id
  await run(
    `insert into deposit_address_places (address_id, chain_id, account, next_look_at, trouble, found, found_at)
     values ($1, $2, 'paid', now(), $3, $4, now() - $5 * interval '1 minute')`,
    [id, HARBOR, look?.trouble ?? null, look === null ? null : { coin: String(look.found) }, look?.ago ?? null],
  )
  await run(
    `insert into deposit_arrivals (address_id, chain_id, tx_id, position, currency, amount, state, block_height, created_at)
     values ($1, $2, 'tx', 0, 'coin', 100, 'included', 1, now() - $3 * interval '1 minute')`,
    [id, HARBOR, minutes],
  )
  await run(
    `insert into deposit_address_books (address_id, chain_id, currency, arrived) values ($1, $2, 'coin', 100)`,
    [id, HARBOR],
  )
}

const look = async () =>
  (await checkAddresses(database.pool, chains)).map(({ state, subject, message }) => `${state} ${subject} ${message}`)

describe('doctor looks at addresses to pay to', () => {
  it('and is silent while everything moves', async () => {
    expect(await look()).toEqual([])
    await paid(5, { ago: 4, found: 100 })
    expect(await look()).toEqual([])
  })

  it('and says what lies there for too long, with why; dust waits without a word', async () => {
    await paid(45, { ago: 1, found: 100, trouble: 'the token refuses it' })
    expect(await look()).toEqual([
      'fault harbor 1 payment is not swept, the oldest for 45 minutes: the token refuses it',
    ])
    await run('update deposit_address_places set trouble = $1', [NOT_WORTH_ITS_SWEEP])
    expect(await look()).toEqual([])
  })

  it('and says where the books have more than lies there, but for what a sweep has taken', async () => {
    await paid(5, { ago: 1, found: 40 })
    expect(await look()).toEqual(['warning harbor the books have more than lies there at 1 of them, paid for example'])
    await run(
      `insert into payouts (purpose, cause, address_id, order_id, chain_id, signer, recipient, currency, amount, state, created_at, updated_at, next_action, next_action_at)
       select 'sweep', 'address:1', id, '\\x01', chain_id, 's', 'd', 'coin', 100, 'signed', now(), now(), 'track', now() from deposit_addresses`,
    )
    expect(await look()).toEqual([])
  })

  it('and says that a look before the payment proves nothing', async () => {
    await paid(1, { ago: 5, found: 0 })
    expect(await look()).toEqual([])
  })

  it('and says that a pool is nearly empty, or was made in another history of the data', async () => {
    await run(`insert into deposit_address_pool (chain_id, address, derivation, signature, made_at)
      select ${HARBOR}, 'pooled ' || n, '{}', '0x', now() from generate_series(1, 19) n`)
    expect(await look()).toEqual(['warning harbor only 19 are left to give'])
    await run(`update deposit_address_pool set history = 'another'`)
    expect(await look()).toEqual(['fault harbor none is left to give'])
  })
})

describe('doctor looks at chains that give addresses', () => {
  const chain = (forms: DepositAddresses['forms'] | null, enabled = true) =>
    // CAST: what the check reads of a chain.
    ({
      config: { slug: 'harbor', enabled },
      adapter: forms === null ? {} : { depositAddresses: { forms, isSweptByKey: !forms.includes('contract') } },
    }) as unknown as Chain
  const plugins = ['@causeway/plugin-deposit-address']
  const keys = { has: () => false }
  const states = (of: Chain, roles: Parameters<typeof checkAddressChains>[0]['roles'], held = keys) =>
    checkAddressChains({ chains: [of], plugins, keys: held, roles }).map(({ state }) => state)

  it('and says which gives none for want of an option, where the plugin runs', () => {
    expect(states(chain(null), undefined)).toEqual(['warning'])
    expect(states(chain(null, false), undefined)).toEqual([])
    expect(checkAddressChains({ chains: [chain(null)], plugins: [], keys, roles: undefined })).toEqual([])
  })

  it('and says that whoever sweeps addresses with keys lacks the key, and nobody else', () => {
    expect(states(chain(['hd-key']), ['solver'])).toEqual(['fault'])
    expect(states(chain(['hd-key']), ['all'], { has: () => true })).toEqual(['ok'])
    for (const roles of [['api'], ['watcher'], undefined] as const)
      expect(states(chain(['hd-key']), roles)).toEqual(['ok'])
    expect(states(chain(['tag']), ['solver'])).toEqual(['fault'])
    expect(states(chain(['contract']), ['solver'])).toEqual(['ok'])
  })
})
