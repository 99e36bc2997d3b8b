import { isValidClassicAddress } from 'ripple-address-codec'
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

/** A page's size within what the server gives. */
export const limitParam = (params: Params, most: number): number =>
  Math.min(Math.max(numberParam(params, 'limit') ?? most, 1), most)

export const isV2 = ({ api_version }: Params): boolean => api_version === 2
