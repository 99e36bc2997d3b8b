import { type XrpAdapter, type XrpOptions, xrpAdapter } from '@causeway/chain-xrpvm'
import { environmentOf, systemClock } from '@causeway/core'
import type { RpcEndpoint } from '@causeway/core/chain'
import { pino } from 'pino'

/** A network of nobody else. */
export const NETWORK_ID = 71_099

/** An adapter that is not started, and for what needs no node never has to be. */
export const idleAdapter = (
  depository: string,
  options: Partial<XrpOptions> = {},
  rpc: readonly RpcEndpoint[] = [{ http: 'http://127.0.0.1:9' }],
): XrpAdapter => {
  const config = {
    id: NETWORK_ID,
    slug: 'fjord',
    name: 'fjord',
    package: '@causeway/chain-xrpvm',
    rpc,
    currencies: [],
    confirmations: { fill: 1, success: 1, settle: 0, settleSeconds: 0 },
    solver: depository,
    enabled: true,
    options: {},
  }
  const logger = pino({ level: 'silent' })
  return xrpAdapter(
    { depository, networkId: NETWORK_ID, ...options },
    { config, clock: systemClock, logger, environment: environmentOf({}) },
  )
}
