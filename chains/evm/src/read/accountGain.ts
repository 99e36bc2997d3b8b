import type { TxRef } from '@causeway/core/chain'
import type { JsonRpcClient } from '@causeway/core/chain-kit'
import { ZERO_ADDRESS } from '../address/addresses.js'
import { readTransactions } from '../deposit/depositLookup.js'
import { addressTopic } from '../deposit/recognise.js'
import { sumOf } from '../lane/paidAmount.js'
import { hasSucceeded } from '../rpc/receipts.js'
import type { RpcTransaction } from '../rpc/wire.js'

/** A call as `debug_traceTransaction` shows it with `callTracer`. */
export interface CallFrame {
  readonly type: string
  readonly from: string
  readonly to?: string
  readonly value?: string
  readonly error?: string
  readonly calls?: readonly CallFrame[]
}

interface Account {
  readonly address: string
  readonly currency: string
}

/** Native currency moves by these alone; the trace names a value beside delegate calls too, which is that of their caller. */
const MOVING = new Set(['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT'])

/** See `ChainAdapter.accountGain`. Tokens by their logs; native currency by the transaction itself, or by a trace where code ran. */
export const readAccountGain = async (
  rpc: Pick<JsonRpcClient, 'batch'>,
  depository: string,
  { id }: TxRef,
  { address, currency }: Account,
): Promise<bigint | null> => {
  const { readings } = await readTransactions([id], (calls) => rpc.batch(calls), depository)
  const { receipt = null, tx = null, block = null } = readings.get(id) ?? {}
  if (receipt === null || tx === null || block === null || !hasSucceeded(receipt)) return null
  const account = address.toLowerCase()
  if (currency !== ZERO_ADDRESS) {
    const topic = addressTopic(account)
    const into = sumOf(receipt, currency, (topics) => topics[2] === topic)
    return into - sumOf(receipt, currency, (topics) => topics[1] === topic)
  }
  const { to, from, value } = tx
  if (await ranNoCode(rpc, tx)) return moved({ type: 'CALL', from, ...(to === null ? {} : { to }), value }, account)
  const [trace] = await rpc.batch([{ method: 'debug_traceTransaction', params: [id, { tracer: 'callTracer' }] }])
  // CAST: a node that traces answers in this form.
  return trace?.ok === true ? moved(trace.result as CallFrame, account) : null
}

/** A plain payment to an account without code. */
const ranNoCode = async (rpc: Pick<JsonRpcClient, 'batch'>, { to, input }: RpcTransaction): Promise<boolean> => {
  if (to === null || input !== '0x') return false
  const [code] = await rpc.batch([{ method: 'eth_getCode', params: [to, 'latest'] }])
  return code?.ok === true && code.result === '0x'
}

/** Native currency that a trace brought an account, less what it took out. */
export const moved = ({ type, from, to, value = '0x0', error, calls = [] }: CallFrame, account: string): bigint => {
  // What failed was undone, with all that it called.
  if (error !== undefined) return 0n
  const amount = MOVING.has(type) ? BigInt(value) : 0n
  const own = (to?.toLowerCase() === account ? amount : 0n) - (from.toLowerCase() === account ? amount : 0n)
  return calls.reduce((sum, call) => sum + moved(call, account), own)
}
