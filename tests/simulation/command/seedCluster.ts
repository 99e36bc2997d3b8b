import { startTestPostgres, type TestPostgres } from '@causeway/core/testing'

/** A PostgreSQL of one worker. */
export type SeedCluster = Pick<TestPostgres, 'url' | 'pid' | 'dataDir' | 'stop'>

/** Nothing runs beside the statements of a seed, and nothing is kept. */
const SETTINGS = [
  'autovacuum=off',
  'deadlock_timeout=1ms',
  'jit=off',
  'max_connections=60',
  'max_wal_size=256MB',
  'shared_buffers=32MB',
  // Beside its data, where the user that it runs as may write.
  'unix_socket_directories=.',
]

/** Starts a PostgreSQL that is gone with its worker; reached by a socket, which costs less than TCP. */
export const startSeedCluster = async (): Promise<SeedCluster> => {
  const { url, pid, dataDir, stop } = await startTestPostgres({ settings: SETTINGS })
  const { username, password, port, pathname } = new URL(url)
  const socket = `postgres://${username}:${password}@${encodeURIComponent(dataDir)}:${port}${pathname}`
  return { url: socket, pid, dataDir, stop }
}
