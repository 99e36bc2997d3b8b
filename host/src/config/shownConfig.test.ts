import { expect, it } from 'vitest'
import { loadConfig } from './loadConfig.js'
import { shownConfig } from './shownConfig.js'

const SECRETS = {
  database: 'hunter2-of-the-database',
  rpc: '9f8e7d6c5b4a39281706',
  host: 'f00dfeed12345678',
  header: 'otel-token-4711',
  option: 'sk_live_abcdefgh',
  nested: 'the-inner-passphrase',
}

const value = {
  network: 'testnet',
  database: { url: `postgres://causeway:${SECRETS.database}@db.internal:5432/causeway?sslmode=require` },
  defaultPlugins: false,
  plugins: [
    {
      package: '@acme/swaps',
      options: {
        apiKey: SECRETS.option,
        url: `https://user:${SECRETS.nested}@swaps.example/v1?key=${SECRETS.rpc}`,
        auth: { secret: { phrase: SECRETS.nested } },
        tokenList: ['0x00000000000000000000000000000000000000aa'],
        password: { env: 'SWAP_PASSWORD' },
        slippageBps: 30,
      },
    },
  ],
  chains: [
    {
      id: 700_001,
      slug: 'harbor',
      name: 'Harbor',
      package: '@causeway/chain-evm',
      solver: '0x00000000000000000000000000000000000000bb',
      rpc: [
        { http: `https://eth.example/v2/${SECRETS.rpc}`, provider: 'one' },
        { http: `https://${SECRETS.host}.quick.example/`, ws: `wss://ws.example/?token=${SECRETS.rpc}` },
        'http://127.0.0.1:8545',
      ],
    },
  ],
  keys: { order: { env: 'ORDER_KEY' }, master: { env: 'MASTER_KEY' }, payout: { 700001: { file: 'payout.key' } } },
  tracing: { endpoint: `https://otel.example/${SECRETS.rpc}`, headers: { 'x-team': SECRETS.header } },
}

it('shows defaults and where keys are, and none of the secrets that a configuration may hold (faults.md F96)', async () => {
  const loaded = await loadConfig('causeway.config.json', { value, reader: 'doctor', readKeys: false, environment: {} })
  const shown = shownConfig(loaded)
  const text = JSON.stringify(shown)
  for (const [name, secret] of Object.entries(SECRETS)) expect(text, name).not.toContain(secret)
  expect(shown).toMatchObject({
    network: 'testnet',
    http: { host: '127.0.0.1', maxConnections: 25_000 },
    database: { url: 'postgres://db.internal:5432/(not shown)', poolSize: 20 },
    chains: [
      {
        solver: '0x00000000000000000000000000000000000000bb',
        rpc: [
          { http: 'https://eth.example/(not shown)', provider: 'one' },
          { http: 'https://(not shown).quick.example', ws: 'wss://ws.example/(not shown)' },
          { http: 'http://127.0.0.1:8545' },
        ],
      },
    ],
    plugins: [
      {
        package: '@acme/swaps',
        options: {
          apiKey: '(not shown)',
          url: 'https://swaps.example/(not shown)',
          tokenList: ['0x00000000000000000000000000000000000000aa'],
          password: { env: 'SWAP_PASSWORD' },
          slippageBps: 30,
        },
      },
    ],
    keys: { master: { env: 'MASTER_KEY' }, payout: { 700001: { file: 'payout.key' } } },
    tracing: { endpoint: 'https://otel.example/(not shown)', headers: ['x-team'] },
  })
})
