import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SHORT_LIFE } from '../harness/host/shortLife.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const NATIVE = '0x0000000000000000000000000000000000000000'

const DEPLOYMENT = `
import { defineConfig } from '@causeway/host'

export default defineConfig({
  network: 'testnet',
  chains: [
    {
      id: 71001, slug: 'harbor', name: 'Harbor', package: '@causeway/chain-evm', rpc: ['http://127.0.0.1:1'],
      currencies: [{ address: '${NATIVE}', symbol: 'ETH', name: 'Ether', decimals: 18, groupId: 'eth' }],
      options: { depository: '0x${'7'.repeat(40)}' },
    },
  ],
  keys: {
    keystore: { file: 'keys.json', passphrase: { env: 'KEYSTORE_PASSPHRASE' } },
    order: { keystore: 'orders' }, master: { keystore: 'master' }, allocator: { keystore: 'allocator' },
    payout: { '71001': { keystore: 'payout' } },
  },
  prices: { file: 'prices.json' },
  wallet: { operators: ['0x${'1'.repeat(40)}'], allowed: [{ chainId: 71001, address: '0x${'2'.repeat(40)}' }] },
})
`

let database: TestDatabase
let place: string

beforeAll(async () => {
  database = await createTestDatabase({ packages: [] })
  place = mkdtempSync(join(tmpdir(), 'causeway-operator-'))
  for (const folder of ['deployment', 'operator']) mkdirSync(join(place, folder))
  writeFileSync(join(place, 'deployment', 'causeway.config.ts'), DEPLOYMENT)
  writeFileSync(join(place, 'deployment', 'prices.json'), '{ "eth": "2000" }')
  const readme = readFileSync(join(ROOT, 'host/README.md'), 'utf8')
  const [, example = ''] = /```ts\n(\/\/ operator\/causeway\.config\.ts\n.*?)```/s.exec(readme) ?? []
  writeFileSync(join(place, 'operator', 'causeway.config.ts'), example)
})
afterAll(async () => {
  await database?.drop()
  rmSync(place, { recursive: true, force: true })
})

/** The program in the operator's folder, with what the README says is set there. */
const run = async (...args: readonly string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...SHORT_LIFE, join(ROOT, 'host/bin/causeway.js'), ...args],
    {
      cwd: join(place, 'operator'),
      env: { PATH: process.env.PATH ?? '', DATABASE_URL: database.url, OPERATOR_PASSPHRASE: 'correct horse battery' },
    },
  )
  return stdout
}

it("the operator's configuration of host/README.md loads as it stands, without the keys of any host", async () => {
  expect(await run('keys', 'new', 'operator')).toMatch(/^operator: 0x[0-9a-fA-F]{40}\n/)
  const listed = JSON.parse(await run('wallet', 'list', '--json'))
  expect(listed).toMatchObject({ operators: [`0x${'1'.repeat(40)}`], wallets: [{ slug: 'harbor', reachable: false }] })
  // It gets as far as asking whether this key may order.
  const address = `0x${'2'.repeat(40)}`
  const order = run('wallet', 'send', 'harbor', NATIVE, '1', '--to', address, '--reason', 'test', '--yes')
  await expect(order).rejects.toThrow(/keys\.operator is 0x\S+, which wallet\.operators does not name/)
})
