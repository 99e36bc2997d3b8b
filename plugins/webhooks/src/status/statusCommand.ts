import type { Command } from '@causeway/core/plugin'
import { readStatus, type WebhooksStatus, type WebhooksStatusDeps } from './readStatus.js'

const FRESH_MS = 5_000

const since = (seconds: number | null): string => (seconds === null ? '' : `, the oldest for ${seconds} s`)

const statusText = ({ endpoints, queue, day, outbox, troubled }: WebhooksStatus): readonly string[] => [
  `endpoints  ${endpoints.on} on, ${endpoints.off} off, ${endpoints.failing} failing`,
  `queue      ${queue.waiting} waiting${since(queue.oldestSeconds)}`,
  `outbox     ${outbox.behind} changes not in the queue yet${since(outbox.oldestSeconds)}`,
  `last day   ${day.delivered} delivered, ${day.parked} parked, ${day.failedCalls} of ${day.calls} calls failed`,
  ...troubled.map(
    ({ apiKeyId, enabled, disabledReason, failingSince, waiting }) =>
      `  key ${apiKeyId}: ${enabled ? `fails since ${failingSince}` : `turned off: ${disabledReason ?? 'by its owner'}`}, ${waiting} waiting`,
  ),
]

/** `causeway webhooks status`. */
export const statusCommand = (deps: WebhooksStatusDeps): Command => ({
  name: 'webhooks status',
  description: 'Show how webhooks go: endpoints, what waits, what failed, and how far the outbox is read',
  options: [{ flags: '--json', description: 'Print JSON (schemaVersion 1)' }],
  console: 'read',
  freshMs: FRESH_MS,
  run: async ({ options, print }) => {
    const status = await readStatus(deps)
    if (options.json === true) return print(JSON.stringify(status, null, 2))
    for (const line of statusText(status)) print(line)
  },
})
