import type { Clock } from '@causeway/core'
import { type AuditEntry, type RequestContext, recordAudit } from '@causeway/core/plugin'
import type { PoolClient } from 'pg'

/**
 * How the audit names whoever called: the wallet of the session, `operator-token` for one opened with a token of the
 * command line, each with the client's address.
 */
export const actorName = (wallet: string | null, { ip }: Pick<RequestContext, 'ip'>): string =>
  `${wallet === null ? 'operator-token' : `wallet ${wallet}`} from ${ip}`

/** Adds what was done to the audit, in the transaction of what it tells of. */
export const recordDeed = (client: PoolClient, clock: Clock, deed: Omit<AuditEntry, 'at'>): Promise<void> =>
  recordAudit(client, { ...deed, at: clock.now() })
