import { type Controls, localLedger, type NodeServer, type OpenLedgerOptions, reorganise } from '@causeway/core/testing'
import { TronLedger } from '../engine/tronLedger.js'
import { retOf } from '../engine/tronTx.js'
import { Gate } from '../server/gate.js'
import { tronNode } from '../server/tronNode.js'
import { base58Of, GIVER, hexAddress } from '../wire/addresses.js'
import type { ContractKind } from '../wire/contracts.js'
import type { Fields } from '../wire/protobuf.js'

/** A contract to be put on the network, without fees. */
export interface ContractPlan {
  /** Creation code and arguments of the constructor, in hex. */
  readonly bytecode: string
  readonly name: string
}

export interface ContractCallPlan {
  readonly to: string
  /** Calldata in hex. */
  readonly data: string
  /** Sun that go along. */
  readonly value?: number
}

const TERMS = { consume_user_resource_percent: 100, origin_energy_limit: 10_000_000 }

/** Runs a call without fees in a block of its own. Returns its transaction. @throws Error if it fails */
const applied = async (ledger: TronLedger, kind: ContractKind, value: Fields) => {
  const id = ledger.trust({ kind, value, permission: 0 })
  await ledger.close()
  const found = ledger.blocks.find(id)
  if (found === undefined || retOf(found.tx) !== 'SUCCESS') throw new Error(`The call ${id} failed`)
  return found.tx
}

/** Controls of the network. */
const controlsOf = (ledger: TronLedger, gate: Gate): Controls => ({
  deploy: async ({ bytecode, name }: ContractPlan) => {
    const made = { origin_address: GIVER, bytecode: bytecode.replace(/^0x/, ''), name, abi: {}, ...TERMS }
    const tx = await applied(ledger, 'CreateSmartContract', { owner_address: GIVER, new_contract: made })
    return base58Of(tx.vm?.contract ?? '')
  },
  call: async ({ to, data, value = 0 }: ContractCallPlan) => {
    const call = { owner_address: GIVER, contract_address: hexAddress(to), data: data.replace(/^0x/, '') }
    return (await applied(ledger, 'TriggerSmartContract', { ...call, call_value: value })).id
  },
  stake: (address: string, net: number, energy: number) => ledger.stake(address, { net, energy }),
  setParameter: (name: string, value: number) => ledger.setParameter(name, value),
  setEnergyFactor: (contract: string, factor: number) => ledger.setEnergyFactor(contract, factor),
  setSolidityLag: (blocks: number) => {
    ledger.settings.solidityLag = blocks
  },
  setApiKey: (key: string | null) => {
    gate.apiKey = key
  },
  setLimit: (most: number | null) => gate.setLimit(most),
  reorg: (depth: number) => {
    const most = Math.min(ledger.settings.solidityLag, ledger.blocks.head.height - ledger.blocks.first)
    if (depth > most) throw new Error(`Only the newest ${most} blocks can be replaced: older ones are solidified`)
    return reorganise(ledger, depth)
  },
})

/** Starts a network in this process. */
export const open = async (options: OpenLedgerOptions): Promise<NodeServer> => {
  const ledger = new TronLedger(options.chainId)
  const gate = new Gate()
  ledger.blocks.onEvent(() => gate.restart())
  return localLedger({ ...options, engine: ledger, dialect: tronNode(gate), controls: controlsOf(ledger, gate) })
}
