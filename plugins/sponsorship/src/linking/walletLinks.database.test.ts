import { coreMigrations } from '@causeway/core/host'
import { findAudit, findFundingWallet } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { LINK_LIFE_MS, LinkNonces, type LinkParties } from './linkNonces.js'
import { migrations } from './migrations.js'
import { walletCommand } from './walletCommand.js'
import { WalletLinks } from './walletLinks.js'

const WALLET = `0x${'5a'.repeat(20)}`
const INTEGRATOR = '00000000-0000-4000-8000-000000000001'
const PARTIES: LinkParties = { integratorId: INTEGRATOR, wallet: WALLET }
const NOW = 1_800_000_000_000

let database: TestDatabase
let now: number
const clock = { now: () => now }
const keys = (byte: number) => ({ derive: () => new Uint8Array(32).fill(byte) })
const nonces = new LinkNonces({ keys: keys(1), clock })
const links = () =>
  new WalletLinks({
    ...{ pool: database.pool, clock, nonces },
    deployment: { network: 'testnet', serviceName: 'causeway', version: '1.0.0' },
    // The signature itself is judged elsewhere: here it is whatever the message says.
    signatures: {
      verify: async ({ signature }) =>
        signature === 'signed' ? { kind: 'account' } : { kind: 'refused', reason: 'No' },
    },
    balanceCurrency: { chainId: 8, address: '0xusd' },
  })

beforeAll(async () => {
  database = await createTestDatabase({
    packages: [
      { name: '@causeway/core', migrations: coreMigrations },
      { name: '@causeway/plugin-sponsorship', migrations },
    ],
  })
})
afterAll(() => database.drop())
beforeEach(async () => {
  now = NOW
  await database.pool.query('truncate funding_wallets, sponsorship_used_nonces')
})

const linked = () => findFundingWallet(database.pool, INTEGRATOR)

describe('links of wallets', () => {
  it('are made once by each message, until it is over', async () => {
    const { nonce, message, expiresAt } = links().message(PARTIES)
    expect(message).toContain(`Valid until: ${new Date(expiresAt).toISOString()}`)
    const link = () => links().link({ ...PARTIES, nonce, signature: 'signed' }, { actor: 'test' })
    await expect(links().link({ ...PARTIES, nonce, signature: 'other' }, { actor: 'test' })).rejects.toThrow('No')
    expect(await linked()).toBeNull()
    await link()
    expect(await linked()).toBe(WALLET)
    await links().unlink(INTEGRATOR, { actor: 'test' })
    await expect(link()).rejects.toThrow('used already')
    expect(await linked()).toBeNull()
    const late = links().message(PARTIES)
    now += LINK_LIFE_MS
    await expect(
      links().link({ ...PARTIES, nonce: late.nonce, signature: 'signed' }, { actor: 'test' }),
    ).rejects.toThrow('over')
  })

  it('forget nonces that no host takes any more, and take none of another key, wallet or integrator', async () => {
    const used = async () => {
      const { nonce } = links().message(PARTIES)
      await links().link({ ...PARTIES, nonce, signature: 'signed' }, { actor: 'test' })
      const { rows } = await database.pool.query('select count(*)::int as kept from sponsorship_used_nonces')
      return rows[0]?.kept
    }
    expect([await used(), await used()]).toEqual([1, 2])
    now += 2 * LINK_LIFE_MS
    expect(await used()).toBe(1)
    const { nonce } = nonces.issue(PARTIES)
    const others = [
      { ...PARTIES, wallet: `0x${'5b'.repeat(20)}` },
      { ...PARTIES, integratorId: 'other' },
    ]
    for (const other of others) expect(nonces.expiryOf(nonce, other)).toBeNull()
    expect(new LinkNonces({ keys: keys(2), clock }).expiryOf(nonce, PARTIES)).toBeNull()
    expect(nonces.expiryOf(nonce, PARTIES)).toBe(now + LINK_LIFE_MS)
  })
})

describe('causeway integrators wallet', () => {
  const run = async (args: readonly string[], options: Record<string, unknown> = {}, none = false) => {
    const lines: string[] = []
    const command = walletCommand({ links: () => (none ? null : links()) })
    await command.run({ arguments: args, options, print: (line) => lines.push(line) })
    return lines.join('\n')
  }
  const reason = 'agreed by letter'

  it('shows, links and takes back, with a reason that the audit keeps', async () => {
    expect(await run([INTEGRATOR])).toBe('No wallet is linked.')
    expect(await run([INTEGRATOR, WALLET.toUpperCase().replace('0X', '0x')], { reason })).toBe(
      `${WALLET} pays for what the integrator sponsors.`,
    )
    expect(await run([INTEGRATOR])).toBe(`${WALLET}\tlinked ${new Date(NOW).toISOString()}\tbalance 0\tfree 0`)
    expect(await run([INTEGRATOR], { remove: true, reason })).toBe(`${WALLET} pays for it no more.`)
    expect(await run([INTEGRATOR], { remove: true, reason })).toBe('No wallet was linked.')
    const audit = await findAudit(database.pool, { subject: `integrator ${INTEGRATOR}`, limit: 2 })
    expect(audit.map(({ action, details }) => ({ action, details }))).toEqual([
      { action: 'integrators wallet --remove', details: { wallet: WALLET, reason } },
      { action: 'integrators wallet', details: { wallet: WALLET, reason } },
    ])
  })

  it.each([
    [[INTEGRATOR, WALLET], {}, /--reason/],
    [[INTEGRATOR], { remove: true }, /--reason/],
    [[INTEGRATOR, WALLET], { remove: true, reason }, /not both/],
    [[INTEGRATOR, '0x12'], { reason }, /EVM address/],
    [['two words'], {}, /id of an integrator/],
  ] as const)('refuses %j %j, and changes nothing', async (args, options, message) => {
    await expect(run(args, options)).rejects.toThrow(message)
    expect(await linked()).toBeNull()
  })

  it('says where no balances are kept', async () => {
    await expect(run([INTEGRATOR], {}, true)).rejects.toThrow('keeps no balances')
  })
})
