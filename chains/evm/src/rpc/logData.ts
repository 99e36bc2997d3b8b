import type { Hex } from '@causeway/core'
import { strangeAnswer } from '@causeway/core/chain-kit'
import type { AbiParameter, DecodeAbiParametersReturnType } from 'viem'
import { decodeAbiParameters } from 'viem/utils'

/**
 * The values of a log of one of the service's contracts, which always have this form.
 * @throws ServiceError RPC_HTTP_ERROR where the node shows another one
 */
export const logDataOf = <const Parameters extends readonly AbiParameter[]>(
  parameters: Parameters,
  data: Hex,
): DecodeAbiParametersReturnType<Parameters> => {
  try {
    return decodeAbiParameters(parameters, data)
  } catch {
    throw strangeAnswer('the data of a log')
  }
}
