import { CLOCK } from '@causeway/core'
import {
  CALL_OBSERVERS,
  definePlugin,
  KEY_OWNERSHIP,
  KEY_USES,
  keepDayPartitions,
  LOGGER,
  managementGateOf,
  POOL,
  pause,
  token,
} from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import { CountedKeyUses } from './keyUses.js'
import { migrations } from './migrations.js'
import { UsageCounter } from './usageCounter.js'
import { sessionUsageRoute, usageRoute } from './usageRoute.js'

const COUNTER = token<UsageCounter>('plugin-usage/UsageCounter')
/** Daily answers go back 14 days, of which the first is read whole. */
const KEPT = { table: 'usage_counts', column: 'minute', days: 15 } as const
const PARTITIONS_MS = 3_600_000
const MAX_WAITING = 100_000

const usageOptions = Type.Object(
  {
    flushSeconds: Type.Integer({
      minimum: 1,
      maximum: 60,
      default: 3,
      description: 'How often counts are written, seconds.',
    }),
    maxRows: Type.Integer({
      minimum: 1,
      maximum: 200_000,
      default: 50_000,
      description: 'Most rows of an answer; a call that would need more is refused.',
    }),
  },
  { additionalProperties: false },
)

/** Use of the API per key and minute: counted at every call, shown by `GET /metrics/usage`. */
export default definePlugin({
  name: '@causeway/plugin-usage',
  version: '1.0.0',
  coreRange: '^1.0.0',
  requires: [POOL, CLOCK, LOGGER, KEY_OWNERSHIP],
  provides: [CALL_OBSERVERS, KEY_USES],
  options: usageOptions,
  migrations,
  register: ({ container, provide }) => {
    const counter = new UsageCounter({
      pool: container.resolve(POOL),
      clock: container.resolve(CLOCK),
      log: container.resolve(LOGGER),
      maxWaiting: MAX_WAITING,
    })
    container.registerInstance(COUNTER, counter)
    provide(CALL_OBSERVERS, () => [counter])
    const uses = new CountedKeyUses({ pool: container.resolve(POOL), clock: container.resolve(CLOCK) })
    provide(KEY_USES, () => uses)
  },
  routes: ({ container, options }) => {
    const deps = {
      pool: container.resolve(POOL),
      clock: container.resolve(CLOCK),
      ownership: container.resolve(KEY_OWNERSHIP),
      maxRows: options.maxRows,
    }
    const gate = managementGateOf(container)
    return [usageRoute(deps), ...(gate === null ? [] : [sessionUsageRoute({ ...deps, gate })])]
  },
  jobs: ({ container, options }) => [
    {
      name: 'usage counts',
      role: 'api',
      run: async (signal) => {
        while (!signal.aborted) {
          await pause(options.flushSeconds * 1000, signal)
          await container.resolve(COUNTER).flush()
        }
      },
    },
    {
      name: 'usage tables',
      role: 'api',
      run: async (signal) => {
        while (!signal.aborted) {
          const now = container.resolve(CLOCK).now()
          await keepDayPartitions(container.resolve(POOL), { ...KEPT, now })
          await pause(PARTITIONS_MS, signal)
        }
      },
    },
  ],
  stop: ({ container }) => container.resolve(COUNTER).flush(),
})
