import type { Diagnosis } from '@causeway/core/chain'
import { type EndpointReading, type JsonRpcEndpoint, type RpcOutcome, resultOf } from '@causeway/core/chain-kit'
import { clockCall, readClock } from '../rpc/clock.js'
import { latestBlockhashCall, type RpcAccount, type RpcContext, type RpcLatestBlockhash } from '../rpc/wire.js'
import { signaturesCall } from '../watch/signatureReader.js'
import type { DiagnoseDeps } from './diagnoseDeps.js'

/** The newest confirmed slot, and whether the endpoint has a history of the depository's transactions. */
export const readEndpoint = async (
  endpoint: JsonRpcEndpoint,
  subject: string,
  { settings }: DiagnoseDeps,
): Promise<EndpointReading> => {
  const [latest, clock, signatures] = await endpoint.batch([
    latestBlockhashCall('confirmed'),
    clockCall('confirmed'),
    signaturesCall(settings.depository, { limit: 1 }),
  ])
  const head = resultOf<RpcContext<RpcLatestBlockhash>>(latest, 'getLatestBlockhash')
  return {
    height: BigInt(head.context.slot),
    // CAST: an answered getAccountInfo is an account or null, in a context.
    time: clock?.ok ? readClock(clock.result as RpcContext<RpcAccount | null>) : null,
    history: () => history(subject, signatures),
  }
}

const history = (subject: string, outcome: RpcOutcome | undefined): Diagnosis =>
  outcome?.ok
    ? { check: 'rpc history', subject, state: 'ok', message: 'lists the transactions of an address' }
    : {
        check: 'rpc history',
        subject,
        state: 'fault',
        message: 'does not list the transactions of an address',
        remedy: 'Deposits are found by getSignaturesForAddress: use a node that keeps the history of transactions.',
      }
