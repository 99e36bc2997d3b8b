import type { LedgerNode, NodeDialect, RunCall } from '@causeway/core/testing'
import type { TonLedger } from '../engine/tonLedger.js'
import type { TonBlock, TonTx } from '../engine/tonTx.js'
import type { RateLimit } from './rateLimit.js'
import { TonView } from './tonView.js'
import { TONCENTER_PATH, toncenter } from './v2/toncenter.js'
import { tonApi4 } from './v4/tonApi4.js'

/** A node that speaks API v2 of toncenter under its path, and API v4 elsewhere. */
export const tonNode =
  (limit: RateLimit) =>
  ({ engine, view, run }: LedgerNode<TonTx, TonBlock, TonLedger>): NodeDialect => {
    const node = new TonView(engine, view)
    const limited: RunCall = (method, call) => {
      const admitted = (): ReturnType<typeof call> => {
        limit.admit()
        return call()
      }
      return run(method, admitted)
    }
    const [v2, v4] = [toncenter(node, limited), tonApi4(node, limited)]
    return { http: (request) => (request.path.startsWith(TONCENTER_PATH) ? v2 : v4).http(request) }
  }
