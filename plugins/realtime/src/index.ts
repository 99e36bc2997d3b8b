import { CLOCK } from '@causeway/core'
import {
  API_KEYS_CHANNEL,
  definePlugin,
  INTEGRATOR_AUTH,
  METRICS,
  NOTIFIER,
  noIntegrators,
  OutboxReader,
  POOL,
  token,
} from '@causeway/core/plugin'
import { EventFeed } from './eventFeed.js'
import { EventReplay } from './eventReplay.js'
import { realtimeOptions } from './options.js'
import { SocketServer } from './socketServer.js'

const FEED = token<EventFeed>('plugin-realtime/EventFeed')
const STOP = token<AbortController>('plugin-realtime/Stop')

/** Status changes over websockets (wire.md 5.1). Without a plugin that knows keys, every client is anonymous. */
export default definePlugin({
  name: '@causeway/plugin-realtime',
  version: '1.0.0',
  coreRange: '^1.0.0',
  requires: [POOL, CLOCK, NOTIFIER, METRICS],
  options: realtimeOptions,
  register: ({ container }) => {
    const reader = new OutboxReader({ pool: container.resolve(POOL) })
    container.registerInstance(FEED, new EventFeed({ reader, notifier: container.resolve(NOTIFIER) }))
    container.registerInstance(STOP, new AbortController())
  },
  jobs: ({ container }) => [
    { name: 'websocket events', role: 'api', run: (signal) => container.resolve(FEED).run(signal) },
  ],
  sockets: ({ container, options }) => {
    const server = new SocketServer({
      feed: container.resolve(FEED),
      replay: new EventReplay({ pool: container.resolve(POOL) }),
      auth: container.isRegistered(INTEGRATOR_AUTH, true) ? container.resolve(INTEGRATOR_AUTH) : noIntegrators,
      clock: container.resolve(CLOCK),
      metrics: container.resolve(METRICS),
      options,
    })
    // Later than whoever remembers keys and forgets them at this notice.
    const check = () => setImmediate(() => void server.checkKeys())
    container.resolve(NOTIFIER).on(API_KEYS_CHANNEL, check, container.resolve(STOP).signal)
    return [server]
  },
  stop: async ({ container }) => container.resolve(STOP).abort(),
})
