import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callApi, textAt } from '../harness/apiCall.js'
import { operatorToken } from '../harness/host/host.js'
import type { Receiver } from './receiver.js'
import type { WebhookHost } from './webhookHost.js'
import { startWebhookWorld, type TestKey, type WebhookWorld } from './webhookWorld.js'

const run = promisify(execFile)
const PACKAGE = dirname(createRequire(import.meta.url).resolve('@causeway/plugin-webhooks/package.json'))
const README = readFileSync(join(PACKAGE, 'README.md'), 'utf8')
const block = (language: string): string => new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(README)?.[1] ?? ''

let world: WebhookWorld
let host: WebhookHost
let receiver: Receiver
let key: TestKey

beforeAll(async () => {
  world = await startWebhookWorld()
  host = await world.startHost()
  receiver = await world.startReceiver()
  key = await world.newKey()
})
afterAll(() => world?.close())

it('the commands of the README make an endpoint and test it', async () => {
  const token = await operatorToken(world.database.pool)
  const { headers, body } = await callApi(host.url, '/dashboard/api/session/operator', { body: { token } })
  const COOKIE = (headers.get('set-cookie') ?? '').split(';')[0]
  const env = { ...process.env, URL: host.url, KEY: key.id, COOKIE, CSRF: textAt(body, 'csrfToken') }
  const script = block('sh').replace('https://shop.example/causeway', `${receiver.url}/causeway`)
  const { stdout } = await run('bash', ['-ec', script.replaceAll('curl ', 'curl -sS --fail ')], { env })
  expect(stdout).toContain('"secret":"whsec_')
  expect(stdout).toContain('"delivered":true')
  expect(receiver.calls[0]?.headers['x-shop']).toBe('north')
})

it('the receiver of the README accepts what is delivered and refuses what was changed; it loads nothing but Node', async () => {
  const source = block('ts')
    .replace('@causeway/plugin-webhooks/verify', `file://${join(PACKAGE, 'dist', 'verify.js')}`)
    .replace('.listen(8443)', ".listen(0, '127.0.0.1', function () { console.log('port', this.address().port) })")
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { CAUSEWAY_KEY: key.apiKey },
  })
  try {
    const port = await new Promise<string>((resolve) => {
      child.stdout.on('data', (chunk: Buffer) => {
        const found = /^port (\d+)$/m.exec(chunk.toString())?.[1]
        if (found !== undefined) resolve(found)
      })
    })
    const [call] = receiver.calls
    const post = async (body: string) => {
      const names = ['x-event-id', 'x-signature-timestamp', 'x-signature-sha256']
      const headers = Object.fromEntries(names.map((name) => [name, String(call?.headers[name])]))
      return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers })).status
    }
    expect([await post(call?.body ?? ''), await post(`${call?.body} `)]).toEqual([204, 401])
  } finally {
    child.kill()
  }
  const imports = readFileSync(join(PACKAGE, 'dist', 'verifyWebhook.js'), 'utf8').match(/from '[^']+'/g)
  expect(imports).toEqual(["from 'node:crypto'"])
})
