import type { Clock } from '@causeway/core'
import { auditActor, type Command, type DatabasePool, type Keys } from '@causeway/core/plugin'
import { DashboardSecrets } from './dashboardSecrets.js'
import { OperatorTokens } from './operatorTokens.js'

export interface DashboardCommandDeps {
  readonly pool: DatabasePool
  readonly clock: Clock
  readonly keys: Keys
}

/** `dashboard operator-token`: works as long as the database and the master key do, so that no operator is locked out. */
export const dashboardCommands = ({ pool, clock, keys }: DashboardCommandDeps): readonly Command[] => [
  {
    name: 'dashboard operator-token',
    description: 'Make a token that signs one operator in to the management API, once, within 15 minutes',
    run: async ({ print }) => {
      const tokens = new OperatorTokens({ pool, clock, secrets: new DashboardSecrets(keys) })
      const { token, expiresAt } = await tokens.issue(auditActor())
      print(`token:   ${token}`)
      print(`expires: ${expiresAt.toISOString()}`)
      print('Send it as { "token": "..." } to POST /dashboard/api/session/operator.')
    },
  },
]
