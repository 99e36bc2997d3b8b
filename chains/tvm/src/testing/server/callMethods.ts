import { StateView } from '@causeway/core/testing'
import { selectorOf } from '../../address/abi.js'
import { vmCallOf } from '../engine/execute.js'
import { Refusal, type RefusalCode } from '../engine/refusal.js'
import { accountIn, codeIn, type Entry, newAccount, type View } from '../engine/state.js'
import { transactionAfter } from '../engine/tronTx.js'
import type { VmOutcome } from '../engine/vm/tronVm.js'
import { bytesOf, type Fields, hexOf } from '../wire/protobuf.js'
import { readTransaction, transactionJson } from '../wire/transactionJson.js'
import { type ContractCall, decodeSigned, type SignedTransaction } from '../wire/transactions.js'
import { hexText } from './answers.js'
import type { Methods, Params } from './params.js'
import type { TronView } from './tronView.js'

/** Energy of a call that is not broadcast. */
const MOST_ENERGY = 100_000_000

/** Calldata of a request: `data`, or a selector with parameters. */
const dataOf = (params: Params): string => {
  const selector = params.text('function_selector')
  if (selector === '') return params.text('data').replace(/^0x/, '')
  return selectorOf(selector) + params.text('parameter')
}

const triggerOf = (params: Params): ContractCall => {
  const [callValue, data] = [params.number('call_value'), dataOf(params)]
  bytesOf(data)
  return {
    kind: 'TriggerSmartContract',
    value: {
      ...{ owner_address: params.address('owner_address'), contract_address: params.address('contract_address') },
      ...(callValue === 0 ? {} : { call_value: callValue }),
      ...(data === '' ? {} : { data }),
    },
    permission: params.number('Permission_id'),
  }
}

/** Methods that make, try and take transactions. */
export const callMethods = (node: TronView): Methods => {
  const made = (call: ContractCall, params: Params): Fields => {
    const data = params.text('extra_data')
    const terms = { feeLimit: params.number('fee_limit'), data: params.visible ? hexText(data) : data }
    return transactionJson(transactionAfter(node.head, call, terms), params.visible)
  }
  return {
    createtransaction: (params) => {
      const [owner, to] = [params.address('owner_address'), params.address('to_address')]
      const account = accountIn(node.state, owner)
      if (account === null) return validateError('Validate TransferContract error, no OwnerAccount.')
      if (account.balance < BigInt(params.number('amount')))
        return validateError('Validate TransferContract error, balance is not sufficient.')
      const value = { owner_address: owner, to_address: to, amount: params.number('amount') }
      return made({ kind: 'TransferContract', value, permission: params.number('Permission_id') }, params)
    },
    triggersmartcontract: (params) => {
      const call = triggerOf(params)
      const code = codeIn(node.state, String(call.value.contract_address))
      if (code === null) return failure('CONTRACT_VALIDATE_ERROR', 'Smart contract is not exist.')
      return { result: { result: true }, transaction: made(call, params) }
    },
    triggerconstantcontract: async (params) => {
      const tried = await tryCall(node, params)
      if (tried === null) return failure('CONTRACT_VALIDATE_ERROR', 'Smart contract is not exist.')
      const { outcome, penalty, tx } = tried
      const message = outcome.result === 'SUCCESS' ? {} : { message: hexText(outcome.reason) }
      return {
        result: { result: true, ...message },
        energy_used: outcome.energyUsed + penalty,
        ...(penalty === 0 ? {} : { energy_penalty: penalty }),
        constant_result: [hexOf(outcome.returned)],
        ...(outcome.logs.length === 0 ? {} : { logs: outcome.logs }),
        transaction: {
          ret: [outcome.result === 'SUCCESS' ? {} : { ret: 'FAILED' }],
          ...transactionJson(tx, params.visible),
        },
      }
    },
    estimateenergy: async (params) => {
      const tried = await tryCall(node, params)
      if (tried === null) return failure('CONTRACT_VALIDATE_ERROR', 'Smart contract is not exist.')
      const { outcome, penalty } = tried
      if (outcome.result !== 'SUCCESS') return failure('CONTRACT_EXE_ERROR', outcome.reason)
      return { result: { result: true }, energy_required: outcome.energyUsed + penalty }
    },
    broadcasttransaction: ({ all }) => submit(node, () => readTransaction(all)),
    broadcasthex: (params) => {
      const tx = decodeSigned(params.text('transaction'))
      return { ...submit(node, () => tx), transaction: JSON.stringify(transactionJson(tx, params.visible)) }
    },
  }
}

const validateError = (reason: string): Fields => ({
  Error: `class org.tron.core.exception.ContractValidateException : Contract validate error : ${reason}`,
})

const failure = (code: RefusalCode | 'CONTRACT_EXE_ERROR', message: string): Fields => ({
  result: { code, message: hexText(message) },
})

/** Takes a transaction into the pool of the ledger. */
const submit = (node: TronView, read: () => SignedTransaction): Fields => {
  const tx = read()
  try {
    node.ledger.submit(tx)
    return { result: true, txid: tx.id }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { code: error.code, txid: tx.id, message: hexText(error.message) }
  }
}

interface Tried {
  readonly outcome: VmOutcome
  readonly penalty: number
  readonly tx: SignedTransaction
}

/** Runs a call on the state that the node shows, without effect; an account that does not exist may call. Null: there is no contract. */
const tryCall = async (node: TronView, params: Params): Promise<Tried | null> => {
  const { ledger } = node
  const isCreation = !params.has('contract_address')
  const call: ContractCall = isCreation
    ? {
        kind: 'CreateSmartContract',
        value: {
          owner_address: params.address('owner_address'),
          new_contract: { bytecode: dataOf(params), origin_address: params.address('owner_address') },
        },
        permission: 0,
      }
    : triggerOf(params)
  const contract = String(call.value.contract_address ?? '')
  if (!isCreation && codeIn(node.state, contract) === null) return null
  const view: View = new StateView<Entry>(node.state)
  const owner = String(call.value.owner_address)
  if (accountIn(view, owner) === null) view.put(newAccount(owner, 0))
  const tx = transactionAfter(node.head, call)
  const outcome = await ledger.vm.run(view, vmCallOf(tx, ledger.moment(), MOST_ENERGY))
  const penalty = Math.floor((outcome.energyUsed * ledger.energyFactorOf(contract)) / 10_000)
  return { outcome, penalty, tx }
}
