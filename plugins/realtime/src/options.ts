import { type Static, Type } from '@sinclair/typebox'

const whole = (description: string, standard: number, maximum: number) =>
  Type.Integer({ minimum: 1, maximum, default: standard, description })

/** Options of the plugin in the configuration (wire.md H.4). Counts are of one process. */
export const realtimeOptions = Type.Object(
  {
    subscriptionsPerSocket: whole('Most subscriptions of one socket.', 100, 100_000),
    socketsPerAddress: whole('Most sockets of one client address without a key (of IPv6, one /64).', 10, 1_000_000),
    socketsPerKey: whole('Most sockets of one API key.', 100, 1_000_000),
    keyedSocketsPerAddress: whole(
      'Most sockets of one client address with keys, however many keys (of IPv6, one /64).',
      1_000,
      1_000_000,
    ),
    maxSockets: whole('Most sockets of this process.', 20_000, 1_000_000),
    messagesPerSecond: whole(
      'Messages a client may send per second, after a first burst of as many and one for each subscription.',
      20,
      100_000,
    ),
    frameKiB: whole('Largest message of a client, KiB.', 16, 1_024),
    bufferKiB: whole('What may wait for a slow client before it is dropped, KiB.', 512, 65_536),
    pingSeconds: whole('Between pings, seconds; a client that answered none of the last is dropped.', 30, 3_600),
    silenceSeconds: whole(
      'How long events may be unreadable before clients are sent away to ask instead, seconds.',
      10,
      3_600,
    ),
    idleSeconds: whole('How long a socket without subscription stays, seconds.', 600, 86_400),
  },
  { additionalProperties: false },
)

export type RealtimeOptions = Static<typeof realtimeOptions>
