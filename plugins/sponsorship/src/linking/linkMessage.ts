import type { Deployment } from '@causeway/core/plugin'
import type { LinkParties } from './linkNonces.js'

/** The text that a wallet signs to pay for an integrator: it names deployment, integrator, wallet, and until when it may be used. */
export const linkMessage = (
  { serviceName, network }: Pick<Deployment, 'serviceName' | 'network'>,
  { integratorId, wallet }: LinkParties,
  { nonce, expiresAt }: { readonly nonce: string; readonly expiresAt: number },
): string =>
  [
    `${serviceName} (${network}): pay for an integrator`,
    '',
    'The balance of this wallet at the service will pay for what the integrator sponsors. This costs nothing now and sends no transaction.',
    '',
    `Wallet: ${wallet}`,
    `Integrator: ${integratorId}`,
    `Nonce: ${nonce}`,
    `Valid until: ${new Date(expiresAt).toISOString()}`,
  ].join('\n')
