import type { LedgerView } from '@causeway/core/testing'
import { isValidClassicAddress } from 'ripple-address-codec'
import type { LedgerTx } from '../../engine/closedLedger.js'
import { rpcError } from './rpcError.js'

/** A command's parameters as they came. */
export type Params = Readonly<Record<string, unknown>>

/** @throws RpcError when it is missing or no classic address */
export const accountParam = (params: Params, name = 'account'): string => {
  const value = params[name]
  if (value === undefined) throw rpcError('invalidParams', { error_message: `Missing field '${name}'.` })
  if (typeof value === 'string' && isValidClassicAddress(value)) return value
  throw rpcError('actMalformed')
}

/** @throws RpcError when it is neither absent nor a whole number */
export const numberParam = (params: Params, name: string): number | undefined => {
  const value = params[name]
  if (value === undefined) return undefined
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  throw rpcError('invalidParams', { error_message: `Invalid field '${name}'.` })
}

/** Size of a page, at most `most` and at most the maximum of the server. */
export const limitParam = (
  params: Params,
  most: number,
  { view }: { readonly view: Pick<LedgerView<LedgerTx>, 'limit'> },
): number => view.limit(numberParam(params, 'limit'), most)
