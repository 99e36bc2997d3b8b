import type { MessageType } from './protobuf.js'

/** Messages of the protocol (protocol/core of java-tron). */
const PARAM: MessageType = {
  1: { name: 'indexed', kind: 'bool' },
  2: { name: 'name', kind: 'string' },
  3: { name: 'type', kind: 'string' },
}
const ENTRY_TYPES = ['UnknownEntryType', 'Constructor', 'Function', 'Event', 'Fallback', 'Receive', 'Error']
const MUTABILITIES = ['UnknownMutabilityType', 'Pure', 'View', 'Nonpayable', 'Payable']
const ABI_ENTRY: MessageType = {
  1: { name: 'anonymous', kind: 'bool' },
  2: { name: 'constant', kind: 'bool' },
  3: { name: 'name', kind: 'string' },
  4: { name: 'inputs', kind: { message: PARAM }, isRepeated: true },
  5: { name: 'outputs', kind: { message: PARAM }, isRepeated: true },
  6: { name: 'type', kind: { values: ENTRY_TYPES } },
  7: { name: 'payable', kind: 'bool' },
  8: { name: 'stateMutability', kind: { values: MUTABILITIES } },
}
const ABI: MessageType = { 1: { name: 'entrys', kind: { message: ABI_ENTRY }, isRepeated: true } }
const SMART_CONTRACT: MessageType = {
  1: { name: 'origin_address', kind: 'address' },
  2: { name: 'contract_address', kind: 'address' },
  3: { name: 'abi', kind: { message: ABI } },
  4: { name: 'bytecode', kind: 'bytes' },
  5: { name: 'call_value', kind: 'int64' },
  6: { name: 'consume_user_resource_percent', kind: 'int64' },
  7: { name: 'name', kind: 'string' },
  8: { name: 'origin_energy_limit', kind: 'int64' },
  9: { name: 'code_hash', kind: 'bytes' },
  10: { name: 'trx_hash', kind: 'bytes' },
}

/** Kinds of transactions that this network executes, with their number in the protocol and their message. */
export const CONTRACTS = {
  AccountCreateContract: {
    number: 0,
    message: {
      1: { name: 'owner_address', kind: 'address' },
      2: { name: 'account_address', kind: 'address' },
      3: { name: 'type', kind: { values: ['Normal', 'AssetIssue', 'Contract'] } },
    },
  },
  TransferContract: {
    number: 1,
    message: {
      1: { name: 'owner_address', kind: 'address' },
      2: { name: 'to_address', kind: 'address' },
      3: { name: 'amount', kind: 'int64' },
    },
  },
  CreateSmartContract: {
    number: 30,
    message: {
      1: { name: 'owner_address', kind: 'address' },
      2: { name: 'new_contract', kind: { message: SMART_CONTRACT } },
      3: { name: 'call_token_value', kind: 'int64' },
      4: { name: 'token_id', kind: 'int64' },
    },
  },
  TriggerSmartContract: {
    number: 31,
    message: {
      1: { name: 'owner_address', kind: 'address' },
      2: { name: 'contract_address', kind: 'address' },
      3: { name: 'call_value', kind: 'int64' },
      4: { name: 'data', kind: 'bytes' },
      5: { name: 'call_token_value', kind: 'int64' },
      6: { name: 'token_id', kind: 'int64' },
    },
  },
} as const satisfies Readonly<Record<string, { readonly number: number; readonly message: MessageType }>>

export type ContractKind = keyof typeof CONTRACTS

export const isContractKind = (name: unknown): name is ContractKind =>
  typeof name === 'string' && Object.hasOwn(CONTRACTS, name)
