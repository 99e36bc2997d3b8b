import { createLogger, redactErrorMessage } from '@causeway/core/host'
import { describe, expect, it } from 'vitest'
import type { LoadedConfig } from '../config/loadConfig.js'
import { configSecrets } from './configSecrets.js'

const KEY = `0x${'7a'.repeat(32)}`

const secretsOf = (given: { readonly url?: string; readonly rpc?: readonly string[]; readonly headers?: object }) =>
  configSecrets({
    // CAST: what the function reads of a configuration.
    config: {
      database: { url: given.url },
      tracing:
        given.headers === undefined
          ? undefined
          : { endpoint: 'https://traces.example.org/v1/traces', headers: given.headers },
      chains: [{ rpc: (given.rpc ?? []).map((http) => ({ http })) }],
    } as unknown as LoadedConfig['config'],
    keys: new Map([['order', KEY]]) as LoadedConfig['keys'],
  })

const logged = (secrets: readonly string[], text: string): string => {
  const lines: string[] = []
  createLogger({ level: 'info', destination: { write: (line: string) => void lines.push(line) }, secrets }).info(text)
  return String(JSON.parse(lines[0] ?? '{}').msg)
}

describe('secrets of a configuration (faults.md F96)', () => {
  it('are keys, passwords, and tokens in the URLs of endpoints and in headers', () => {
    const url = 'postgres://causeway:hunter2-secret@db.internal:5432/causeway?sslmode=verify-full'
    const rpc = [
      'https://eth.example.org/v2/RPCKEYabcdef0123456789',
      'https://base.example.org/rpc?apikey=a1b2c3d4e5&network=mainnet-beta',
      'https://operator:pass%2Fphrase-9@node.example.org/ethereum-mainnet',
      'https://svm.example.org/3f2a9c1e-77aa-4b0c-9d2e-0123456789ab/',
    ]
    const headers = { authorization: 'Basic operators', 'x-scope-orgid': 'production', 'x-team': 'q8w7e6r5t4' }
    const secrets = secretsOf({ url, rpc, headers })
    expect([...secrets].sort()).toEqual(
      [
        KEY,
        'hunter2-secret',
        'RPCKEYabcdef0123456789',
        'a1b2c3d4e5',
        'pass%2Fphrase-9',
        'pass/phrase-9',
        '3f2a9c1e-77aa-4b0c-9d2e-0123456789ab',
        'Basic operators',
        'q8w7e6r5t4',
      ].sort(),
    )
    for (const secret of secrets)
      expect(logged(secrets, `asked with ${secret} again`)).toBe('asked with [redacted] again')
  })

  it('are no names: what the service says of itself, its database, its users and its networks stays readable', () => {
    const secrets = secretsOf({
      url: 'postgres://causeway:causeway@localhost/causeway',
      rpc: ['http://127.0.0.1:8545', 'https://rpc.example.org/ethereum-mainnet/11155111?network=mainnet-beta'],
      headers: { 'x-scope-orgid': 'production' },
    })
    expect(secrets).toEqual([KEY])
    const text =
      'causeway: role causeway lacks the right; referrer causeway-shop on ethereum-mainnet 11155111, production'
    expect(logged(secrets, text)).toBe(text)
    expect(redactErrorMessage(text)).toBe(text)
  })
})
