import pg from 'pg'
import { pause } from './leases.js'

export interface NotificationOptions {
  readonly connectionString: string
  readonly channels: readonly string[]
  onNotification(channel: string, payload: string): void
  /** After every (re)connect: whatever was told meanwhile is lost, so look again. */
  onConnect?(): void
}

/** Listens on one connection of its own until the signal aborts, reconnecting for ever. Wake-ups only: never the only way to learn of work. */
export const listen = async (options: NotificationOptions, signal: AbortSignal): Promise<void> => {
  let wait = 100
  while (!signal.aborted) {
    const client = new pg.Client({ connectionString: options.connectionString, application_name: 'causeway listen' })
    const ended = new Promise<void>((resolve) => {
      client.on('error', () => resolve())
      client.on('end', () => resolve())
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    try {
      await client.connect()
      client.on('notification', ({ channel, payload }) => options.onNotification(channel, payload ?? ''))
      for (const channel of options.channels) await client.query(`listen ${client.escapeIdentifier(channel)}`)
      wait = 100
      options.onConnect?.()
      await ended
    } catch {
      await pause(wait, signal)
      wait = Math.min(wait * 2, 5_000)
    }
    await client.end().catch(() => undefined)
  }
}
