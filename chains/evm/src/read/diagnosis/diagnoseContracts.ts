import type { Diagnosis, DiagnosisRequest } from '@causeway/core/chain'
import type { JsonRpcEndpoint } from '@causeway/core/chain-kit'
import { diagnoseAllowances } from './diagnoseAllowances.js'
import type { DiagnoseDeps } from './diagnoseDeps.js'
import { verifyContracts } from './verifyContracts.js'

/** The contracts are those of this deployment, and the routers may take what the solver is to pay through them. */
export const diagnoseContracts = async (
  endpoint: JsonRpcEndpoint,
  { config, settings }: Pick<DiagnoseDeps, 'config' | 'settings'>,
  request: DiagnosisRequest,
): Promise<readonly Diagnosis[]> => [
  ...(await verifyContracts(endpoint, { config, settings }, request)),
  ...(await diagnoseAllowances(endpoint, { config, settings })),
  ...diagnoseSender({ config, settings }),
]

/** A permit router without a sender: wallets are offered no permits (faults.md F145). */
const diagnoseSender = ({ config, settings }: Pick<DiagnoseDeps, 'config' | 'settings'>): readonly Diagnosis[] => {
  if (settings.permits === null) return []
  const [check, subject] = ['origin key', config.slug]
  if (config.originSender !== undefined) return [{ check, subject, state: 'ok', message: 'permits have a sender' }]
  return [
    {
      check,
      subject,
      state: 'warning',
      message: `permits are not offered on ${config.slug}: no key sends them`,
      remedy: `Set keys.origin.${config.id}, or "originSender" of the chain where another process holds the key. Without permits, remove "permitRouter" from the options of the chain.`,
    },
  ]
}
