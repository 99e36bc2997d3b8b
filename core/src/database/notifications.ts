import type pg from 'pg'
import { pause } from './leases.js'
import { openConnection } from './session.js'

export interface NotificationOptions {
  readonly connectionString: string
  readonly channels: readonly string[]
  onNotification(channel: string, payload: string): void
  /** After every (re)connect: whatever was told meanwhile is lost, so look again. */
  onConnect?(): void
}

const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 5_000
const CHECK_MS = 15_000
const ANSWER_MS = 10_000
const CLOSE_MS = 1_000

/**
 * Listens on one connection of its own until the signal aborts, reconnecting for ever. Wake-ups only: never the only way to
 * learn of work. A connection that silently died is noticed within 25 s.
 */
export const listen = async (options: NotificationOptions, signal: AbortSignal): Promise<void> => {
  let wait = FIRST_WAIT_MS
  while (!signal.aborted) {
    const connected = await listenOnce(options, signal)
    wait = connected ? FIRST_WAIT_MS : Math.min(wait * 2, LONGEST_WAIT_MS)
    await pause(wait, signal)
  }
}

/** One connection's life; whether it ever listened. */
const listenOnce = async (options: NotificationOptions, signal: AbortSignal): Promise<boolean> => {
  const { connectionString } = options
  const settings = { connectionString, applicationName: 'causeway listen', timeoutMs: ANSWER_MS }
  const client = await openConnection(settings).catch(() => null)
  if (client === null) return false
  const gone = new AbortController()
  const over = AbortSignal.any([signal, gone.signal])
  const end = () => gone.abort()
  client.on('error', end)
  client.on('end', end)
  client.on('notification', ({ channel, payload }) => options.onNotification(channel, payload ?? ''))
  let connected = false
  try {
    for (const channel of options.channels) await client.query(`listen ${client.escapeIdentifier(channel)}`)
    connected = true
    options.onConnect?.()
    while (!over.aborted) {
      await pause(CHECK_MS, over)
      if (!over.aborted) await client.query('select 1')
    }
  } catch {
    // The caller connects again.
  } finally {
    await close(client)
  }
  return connected
}

/** Says goodbye, but waits for no answer of a server that is gone. */
const close = async (client: pg.Client): Promise<void> => {
  const closed = new AbortController()
  await Promise.race([client.end().catch(() => undefined), pause(CLOSE_MS, closed.signal)])
  closed.abort()
}
