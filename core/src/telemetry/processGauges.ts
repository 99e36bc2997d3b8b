import type { Pool } from 'pg'
import type { LeaseKeeper } from '../database/leases.js'
import type { MetricSource } from './metrics.js'

const KINDS = ['watch', 'lane'] as const

/** Gauges of this process: its database connections and the leases it holds. Sums over all hosts are true. */
export const processGauges = ({
  pool,
  leases,
}: {
  readonly pool: Pool
  readonly leases: LeaseKeeper
}): MetricSource => ({
  name: 'process',
  gauges: [
    {
      name: 'causeway_database_connections',
      help: 'Connections of this process: used, idle, and requests waiting for one while all are used',
      labels: { state: ['used', 'idle', 'waiting'] },
    },
    { name: 'causeway_database_connections_limit', help: 'Most connections of this process', labels: {} },
    { name: 'causeway_leases_held', help: 'Leases this process holds, by kind of work', labels: { kind: [...KINDS] } },
  ],
  read: async () => {
    const used = pool.totalCount - pool.idleCount
    const connections = {
      used,
      idle: pool.idleCount,
      // The pool counts every query for a moment, those of the other gauges too; it waits only where none is left to take or to open.
      waiting: used >= pool.options.max ? pool.waitingCount : 0,
    }
    return [
      ...Object.entries(connections).map(([state, value]) => ({
        gauge: 'causeway_database_connections',
        labels: { state },
        value,
      })),
      { gauge: 'causeway_database_connections_limit', labels: {}, value: pool.options.max },
      ...KINDS.map((kind) => ({
        gauge: 'causeway_leases_held',
        labels: { kind },
        value: leases.held().filter((name) => name.startsWith(`${kind}:`)).length,
      })),
    ]
  },
})
