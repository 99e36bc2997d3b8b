import { answerOf } from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'
import { COUNT } from './fields.js'
import { type Asked, askAt } from './lighterNode.js'

const readFee = answerOf(Type.Object({ transfer_fee_usdc: COUNT }))

/** Fee of a transfer between two accounts now, in millionths of a USDC. `token` is of the paying account. @throws ServiceError */
export const askTransferFee = async (
  asked: Asked,
  { from, to, token }: { readonly from: string; readonly to: string; readonly token: string },
): Promise<bigint> => {
  const query = { account_index: from, to_account_index: to, auth: token }
  return BigInt((await askAt(asked, '/api/v1/transferFeeInfo', readFee, query)).transfer_fee_usdc)
}
