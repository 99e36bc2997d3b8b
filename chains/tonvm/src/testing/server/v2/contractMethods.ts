import { CallError } from '@causeway/core/testing'
import { type Address, type Cell, Dictionary, type Message, type StateInit } from '@ton/core'
import { NotAccepted } from '../../engine/tonLedger.js'
import { readTransaction } from '../../engine/tonTx.js'
import { NOT_ACTIVE } from '../../engine/vm/tonVm.js'
import { liteserverError, type TonView } from '../tonView.js'
import { blockIdJson, type Method } from './blockMethods.js'
import type { Params } from './params.js'
import { parseStackJson, stackJson } from './stackJson.js'

/** Exit code that toncenter shows for a get method of an account without code. */
const NO_CODE = -13

/** Takes an external message. Returns its hash. @throws CallError if its contract does not accept it */
export const sendMessage = ({ ledger }: TonView, cell: Cell | undefined): string => {
  if (cell === undefined) throw liteserverError('cannot deserialize bag-of-cells')
  try {
    return ledger.submit(cell)
  } catch (error) {
    if (!(error instanceof NotAccepted)) throw liteserverError(`cannot parse external message: ${String(error)}`)
    const reason = error.exitCode === null ? error.message : `exitcode=${error.exitCode}`
    throw liteserverError(
      `cannot apply external message to current state : External message was not accepted\nCannot run message on account: inbound external message rejected by account:\n${reason}`,
    )
  }
}

const runGetMethod = (node: TonView, params: Params) => {
  const seqno = params.number('seqno') ?? node.head.height
  const [block, account] = [node.block(seqno), node.account(params.address('address'), seqno)]
  const asked = params.text('method')
  const method = /^\d+$/.test(asked) ? Number(asked) : asked
  const found = node.ledger.vm.runGetMethod(account, method, parseStackJson(params.value('stack')), block.time)
  return {
    '@type': 'smc.runResult',
    gas_used: found.gasUsed,
    stack: found.stack.map(stackJson),
    exit_code: found.exitCode === NOT_ACTIVE ? NO_CODE : found.exitCode,
    block_id: blockIdJson(node.nameOf(block)),
    last_transaction_id: { '@type': 'internal.transactionId', lt: String(account.lastTransactionLt) },
  }
}

const externalTo = (dest: Address, body: Cell, init: StateInit | null): Message => ({
  info: { type: 'external-in', dest, importFee: 0n },
  init,
  body,
})

/** Fees of the contract's own transaction, without those of what it sends. @throws CallError if the contract does not accept the message */
const estimateFee = ({ ledger }: TonView, params: Params) => {
  const [address, body] = [params.address('address'), params.cell('body')]
  if (body === undefined) throw new CallError(422, "TypeError: missing a required argument: 'body'")
  const [code, data] = [params.cell('init_code'), params.cell('init_data')]
  const message = externalTo(address, body, code && data ? { code, data } : null)
  const done = ledger.trial().execution(message, params.value('ignore_chksig') !== false)
  if (!done.accepted) throw liteserverError(`External message was not accepted: exitcode=${done.exitCode}`)
  const { parsed } = readTransaction(done.transaction, address.toRawString())
  const { description, totalFees } = parsed
  if (description.type !== 'generic') throw liteserverError('not an ordinary transaction')
  const gas = description.computePhase.type === 'vm' ? description.computePhase.gasFees : 0n
  const storage = description.storagePhase?.storageFeesCollected ?? 0n
  const action = description.actionPhase
  const source_fees = {
    '@type': 'fees',
    in_fwd_fee: Number(totalFees.coins - gas - storage - (action?.totalActionFees ?? 0n)),
    storage_fee: Number(storage),
    gas_fee: Number(gas),
    fwd_fee: Number(action?.totalFwdFees ?? 0n),
  }
  return { '@type': 'query.fees', source_fees, destination_fees: [] }
}

/** The configuration's parameters by their numbers. */
export const configOf = ({ ledger }: TonView): Dictionary<number, Cell> =>
  Dictionary.loadDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell(), ledger.vm.config)

const configInfo = (cell: Cell) => ({
  '@type': 'configInfo',
  config: { '@type': 'tvm.cell', bytes: cell.toBoc().toString('base64') },
})

export const contractMethods = (node: TonView): Readonly<Record<string, Method>> => ({
  runGetMethod: (params) => runGetMethod(node, params),
  sendBoc: (params) => {
    sendMessage(node, params.cell('boc'))
    return { '@type': 'ok' }
  },
  sendBocReturnHash: (params) => {
    const boc = params.cell('boc')
    const norm = Buffer.from(sendMessage(node, boc), 'hex').toString('base64')
    return { '@type': 'raw.extMessageInfo', hash: boc?.hash().toString('base64'), hash_norm: norm }
  },
  estimateFee: (params) => estimateFee(node, params),
  getConfigParam: (params) => {
    const id = params.number('config_id') ?? Number(params.required('param'))
    const found = configOf(node).get(id)
    if (found === undefined) throw liteserverError(`config param ${id} not found`)
    return configInfo(found)
  },
  getConfigAll: () => configInfo(node.ledger.vm.config),
})
