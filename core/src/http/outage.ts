/** Codes of a network that does not carry us to the database, or of a process without file handles. */
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
])

/**
 * SQLSTATE of what passes by itself: connection lost (08), no resources, a full disk among them (53), a disk that fails (58030),
 * stopping or starting (57P), a statement or an idle transaction cut off (57014, 25P03), a server that became a standby or takes no
 * writes (25006), a deadlock or failed serialisation (40).
 */
const PASSING_STATE = /^(?:08[0-9A-Z]{3}|53[0-9A-Z]{3}|57P0[1-5]|57014|58030|25P03|25006|40001|40P01)$/

/** What the database client says without any code. */
const LOST_WORDS =
  /^(?:Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Knex: Timeout acquiring a connection)/

const isPassing = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const code = String(Reflect.get(error, 'code'))
  return NETWORK_CODES.has(code) || PASSING_STATE.test(code) || LOST_WORDS.test(error.message)
}

/** Whether an error nobody met says that the database cannot be reached or used for a while; also as the error behind it. */
export const isOutage = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  return [error, error.cause, Reflect.get(error, 'nativeError')].some(isPassing)
}
