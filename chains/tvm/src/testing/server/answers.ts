import { retOf, type TronBlock, type TronTx } from '../engine/tronTx.js'
import type { InternalCall, VmOutcome } from '../engine/vm/tronVm.js'
import { type Fields, hexOf } from '../wire/protobuf.js'
import { spelled, transactionJson } from '../wire/transactionJson.js'

const PRODUCER = `41${'b0'.repeat(20)}`

export const millisecondsOf = ({ time }: TronBlock): number => time * 1000

export const hexText = (text: string): string => Buffer.from(text).toString('hex')

/** A block as nodes answer it; the first one has no number. */
export const blockJson = (block: TronBlock, visible: boolean, withTransactions = true): Fields => ({
  blockID: block.hash,
  block_header: {
    raw_data: {
      ...(block.height === 0 ? {} : { number: block.height }),
      ...{ txTrieRoot: '0'.repeat(64), witness_address: spelled(PRODUCER, visible), parentHash: block.parentHash },
      ...{ version: 32, timestamp: millisecondsOf(block) },
    },
    witness_signature: '00'.repeat(65),
  },
  ...(withTransactions && block.transactions.length > 0
    ? { transactions: block.transactions.map((tx) => transactionJson(tx, visible, retOf(tx))) }
    : {}),
})

/** Fields whose value is not zero. */
export const nonZero = (fields: Readonly<Record<string, number | bigint>>): Fields =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => Number(value) !== 0)
      .map(([name, value]) => [name, Number(value)]),
  )

/** `gettransactioninfobyid`: what became of a transaction. */
export const transactionInfo = (tx: TronTx, block: TronBlock): Fields => {
  const { vm } = tx
  const result = retOf(tx)
  const receipt = {
    ...nonZero({ energy_usage: vm?.usage ?? 0, energy_fee: vm?.fee ?? 0n, origin_energy_usage: vm?.originUsage ?? 0 }),
    ...nonZero({ energy_usage_total: vm?.total ?? 0, net_usage: tx.netUsage, net_fee: tx.netFee }),
    ...(vm === null ? {} : { result }),
    ...nonZero({ energy_penalty_total: vm?.penalty ?? 0 }),
  }
  return {
    ...{ id: tx.id, ...nonZero({ fee: tx.fee, blockNumber: block.height }), blockTimeStamp: millisecondsOf(block) },
    contractResult: [vm === null ? '' : hexOf(vm.outcome.returned)],
    receipt,
    ...(vm === null ? {} : { contract_address: vm.contract, ...outcomeFields(vm.outcome, tx.id) }),
  }
}

const outcomeFields = ({ result, reason, logs, internal }: VmOutcome, id: string): Fields => ({
  ...(logs.length === 0 ? {} : { log: logs.map(logJson) }),
  ...(result === 'SUCCESS' ? {} : { result: 'FAILED', resMessage: hexText(reason) }),
  ...(internal.length === 0 ? {} : { internal_transactions: internal.map((call, at) => internalJson(call, id, at)) }),
})

const logJson = ({ address, topics, data }: VmOutcome['logs'][number]): Fields => ({
  ...{ address, topics },
  ...(data === '' ? {} : { data }),
})

const internalJson = ({ caller, to, value, note, rejected }: InternalCall, id: string, at: number): Fields => ({
  hash: `${id.slice(0, 56)}${at.toString(16).padStart(8, '0')}`,
  ...{
    caller_address: caller,
    transferTo_address: to,
    callValueInfo: [value === 0n ? {} : { callValue: Number(value) }],
  },
  note: hexText(note),
  ...(rejected ? { rejected } : {}),
})
