import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signInOperator } from '../harness/host/management.js'
import { type HttpWorld, startHttpWorld } from '../http/httpWorld.js'
import { createAuthority } from '../webhooks/certificates.js'
import { type Receiver, startReceiver } from '../webhooks/receiver.js'

/** A deployment whose records are told on every channel: v2 and v3, websocket, and a webhook that is really called. */
export interface HookedWorld {
  readonly world: HttpWorld
  /** Called for what becomes of quotes made with `key`. */
  readonly receiver: Receiver
  readonly key: { readonly id: string; readonly apiKey: string }
  close(): Promise<void>
}

export const startHookedWorld = async (): Promise<HookedWorld> => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-hooked-'))
  const authority = await createAuthority()
  const caFile = join(folder, 'ca.pem')
  writeFileSync(caFile, authority.ca)
  const receiver = await startReceiver(await authority.issue(['127.0.0.1']))
  const webhooks = { allowPrivateTargets: true, caFile }
  const world = await startHttpWorld({
    plugins: () => ({ realtime: {}, webhooks, 'requests-v2': { sunsetAt: '2999-01-01' } }),
  })
  const key = await world.host.createApiKey('shop')
  const manage = await signInOperator(world.host.url, world.database.pool)
  const answer = await manage('PUT', `/keys/${key.id}/webhook`, { url: `${receiver.url}/hook` })
  if (answer.status !== 200) throw new Error(answer.text)
  const close = async () => {
    await world.close()
    await receiver.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { world, receiver, key, close }
}
