import type { RpcCall } from '@causeway/core/chain-kit'
import type { Commitment, RpcAccount, RpcContext } from './wire.js'

const CLOCK = 'SysvarC1ock11111111111111111111111111111111'

/** The account in which the chain keeps its own time: the block time of the slot that the answer is of. */
export const clockCall = (commitment: Commitment): RpcCall => ({
  method: 'getAccountInfo',
  params: [CLOCK, { commitment, encoding: 'base64' }],
})

/** Unix seconds; null when the node does not show them. */
export const readClock = ({ value }: RpcContext<RpcAccount | null>): number | null => {
  const data = Buffer.from(value?.data[0] ?? '', 'base64')
  if (data.length < 40) return null
  const time = Number(data.readBigInt64LE(32))
  return time > 0 ? time : null
}
