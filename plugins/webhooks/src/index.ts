import { CLOCK } from '@causeway/core'
import {
  definePlugin,
  type Job,
  KEY_SECRETS,
  KEYS,
  LEASES,
  LOGGER,
  MANAGEMENT_GATE,
  METRICS,
  NOTIFIER,
  OutgoingHttp,
  type PluginContext,
  POOL,
  SealedValues,
  token,
  WEBHOOKS_CHANNEL,
} from '@causeway/core/plugin'
import type { DeliveryAttemptDeps } from './delivery/deliveryAttempt.js'
import { DeliveryLog } from './delivery/deliveryLog.js'
import { DeliveryMetrics } from './delivery/deliveryMetrics.js'
import { DeliverySender } from './delivery/deliverySender.js'
import { EndpointTargets } from './delivery/endpointTargets.js'
import { EventQueue } from './delivery/eventQueue.js'
import { QueueUpkeep } from './delivery/queueUpkeep.js'
import { EndpointStore } from './endpoint/endpointStore.js'
import { deliveryRoutes } from './management/deliveryRoutes.js'
import { webhookRoutes } from './management/webhookRoutes.js'
import { migrations } from './migrations.js'
import { statusCommand } from './status/statusCommand.js'
import { type WebhookSettings, webhookOptions, webhookSettings } from './webhookOptions.js'

export * from './verifyWebhook.js'

const HTTP = token<OutgoingHttp>('plugin-webhooks/Http')
const SETTINGS = token<WebhookSettings>('plugin-webhooks/Settings')

/** How long what a dead process was sending waits. */
const LEASE_MS = 5_000

type Container = PluginContext<unknown>['container']

const attemptsOf = (container: Container): DeliveryAttemptDeps => {
  const { rules, timeoutMs, timestampUnit } = container.resolve(SETTINGS)
  return { http: container.resolve(HTTP), clock: container.resolve(CLOCK), rules, timeoutMs, timestampUnit }
}

const valuesOf = (container: Container): SealedValues =>
  new SealedValues({ pool: container.resolve(POOL), keys: container.resolve(KEYS) })

const jobsOf = (container: Container): readonly Job[] => {
  const [pool, clock, leases] = [container.resolve(POOL), container.resolve(CLOCK), container.resolve(LEASES)]
  const [notifier, log] = [container.resolve(NOTIFIER), container.resolve(LOGGER)]
  const settings = container.resolve(SETTINGS)
  const metrics = new DeliveryMetrics({ metrics: container.resolve(METRICS), pool })
  const secrets = { secretsOf: (ids: readonly string[]) => container.resolve(KEY_SECRETS).secretsOf(ids) }
  const sender = new DeliverySender({
    ...{ pool, clock, log, metrics, secrets, leaseMs: LEASE_MS, ...settings },
    targets: new EndpointTargets({ values: valuesOf(container) }),
    attempts: attemptsOf(container),
  })
  const queue = new EventQueue({ pool, clock, leases, notifier, onQueued: sender.wake })
  const upkeep = new QueueUpkeep({ pool, clock, leases, secrets, keepDays: settings.keepDays })
  return [
    { name: 'webhooks queue', role: 'webhooks', run: (signal) => queue.run(signal) },
    {
      name: 'webhooks sender',
      role: 'webhooks',
      run: async (signal) => {
        // Of this run: after a failure another one listens anew.
        const over = new AbortController()
        notifier.on(WEBHOOKS_CHANNEL, sender.wake, over.signal)
        await sender.run(signal).finally(() => over.abort())
      },
    },
    { name: 'webhooks upkeep', role: 'webhooks', run: (signal) => upkeep.run(signal) },
  ]
}

/** Signed deliveries of every status change to the endpoints of keys (wire.md 5.2). */
export default definePlugin({
  name: '@causeway/plugin-webhooks',
  version: '1.0.0',
  coreRange: '^1.0.0',
  requires: [POOL, CLOCK, KEYS, LEASES, LOGGER, METRICS, NOTIFIER, KEY_SECRETS, MANAGEMENT_GATE],
  options: webhookOptions,
  migrations,
  register: ({ container, options }) => {
    const settings = webhookSettings(options)
    container.registerInstance(SETTINGS, settings)
    container.registerInstance(
      HTTP,
      new OutgoingHttp({ rules: settings.rules, ...(settings.ca === null ? {} : { ca: settings.ca }) }),
    )
  },
  routes: ({ container }) => {
    const { gate } = container.resolve(MANAGEMENT_GATE)
    if (gate === null) return []
    const [pool, clock] = [container.resolve(POOL), container.resolve(CLOCK)]
    const deps = {
      gate,
      endpoints: new EndpointStore({ pool, clock, values: valuesOf(container) }),
      log: new DeliveryLog({ pool, clock }),
      secrets: container.resolve(KEY_SECRETS),
      attempts: attemptsOf(container),
    }
    return [...webhookRoutes(deps), ...deliveryRoutes(deps)]
  },
  commands: ({ container }) => [statusCommand({ pool: container.resolve(POOL), clock: container.resolve(CLOCK) })],
  jobs: ({ container }) => jobsOf(container),
  stop: async ({ container }) => container.resolve(HTTP).close(),
})
