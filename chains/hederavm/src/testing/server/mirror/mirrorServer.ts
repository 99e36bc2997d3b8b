import { type LedgerNode, type NodeDialect, RawReply, type RestRoutes, restApi } from '@causeway/core/testing'
import type { HederaNetwork } from '../../engine/hederaNetwork.js'
import type { LedgerTx, RecordBlock } from '../../engine/ledgerTx.js'
import { accountRoutes } from './mirrorAccounts.js'
import { networkRoutes } from './mirrorNetwork.js'
import { tokenRoutes } from './mirrorTokens.js'
import { transactionRoutes } from './mirrorTransactions.js'
import { mirrorJson } from './mirrorValues.js'
import { MirrorView } from './mirrorView.js'

const JSON_TYPE = 'application/json; charset=utf-8'

export const mirrorServer =
  (portOf: (account: string) => number) =>
  ({ engine, view, run }: LedgerNode<LedgerTx, RecordBlock, HederaNetwork>): NodeDialect => {
    const mirror = new MirrorView(engine, view)
    const routes = {
      ...{ ...transactionRoutes(mirror), ...accountRoutes(mirror), ...tokenRoutes(mirror) },
      ...networkRoutes(mirror, portOf),
    }
    return restApi(withBigints(routes), run, ({ message }, status) => ({
      ...{ status, type: JSON_TYPE, body: JSON.stringify({ _status: { messages: [{ message }] } }) },
    }))
  }

/** Routes whose answers may hold integers above 2^53. */
const withBigints = (routes: RestRoutes): RestRoutes =>
  Object.fromEntries(
    Object.entries(routes).map(([name, route]) => [
      name,
      (parts, call) => new RawReply(mirrorJson(route(parts, call)), JSON_TYPE),
    ]),
  )
