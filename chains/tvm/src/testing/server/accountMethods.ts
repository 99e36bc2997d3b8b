import { leftOf, usedAt } from '../engine/resources.js'
import { accountIn, codeIn } from '../engine/state.js'
import { type Fields, hexOf } from '../wire/protobuf.js'
import { spelled } from '../wire/transactionJson.js'
import type { Methods } from './params.js'
import type { TronView } from './tronView.js'

const some = (fields: Readonly<Record<string, number>>): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== 0))

/** Methods that read accounts and contracts; what does not exist is an empty object. */
export const accountMethods = (node: TronView): Methods => ({
  getaccount: (params) => {
    const account = accountIn(node.state, params.address('address'))
    if (account === null) return {}
    const { time } = node.head
    return {
      address: spelled(account.address, params.visible),
      ...(account.isContract ? { type: 'Contract' } : {}),
      ...some({ balance: Number(account.balance), create_time: account.createdAt }),
      // The name of the field has this typing error.
      ...some({ latest_opration_time: account.operatedAt }),
      ...some({ net_usage: usedAt(account.net, time), free_net_usage: usedAt(account.freeNet, time) }),
      account_resource: some({ energy_usage: usedAt(account.energy, time) }),
      ...(account.isContract
        ? {}
        : {
            owner_permission: {
              permission_name: 'owner',
              threshold: 1,
              keys: [{ address: spelled(account.address, params.visible), weight: 1 }],
            },
          }),
    }
  },
  getaccountresource: (params) => {
    const account = accountIn(node.state, params.address('address'))
    if (account === null) return {}
    const { parameters } = node.ledger
    const { time } = node.head
    return {
      ...some({ freeNetUsed: usedAt(account.freeNet, time), freeNetLimit: parameters.getFreeNetLimit }),
      ...some({ NetUsed: usedAt(account.net, time), NetLimit: account.staked.net }),
      ...some({ EnergyUsed: usedAt(account.energy, time), EnergyLimit: account.staked.energy }),
      ...{ TotalNetLimit: parameters.getTotalNetLimit, TotalEnergyLimit: parameters.getTotalEnergyCurrentLimit },
    }
  },
  getaccountnet: (params) => {
    const account = accountIn(node.state, params.address('address'))
    if (account === null) return {}
    const { getFreeNetLimit, getTotalNetLimit } = node.ledger.parameters
    const { time } = node.head
    return {
      ...some({
        freeNetUsed: getFreeNetLimit - leftOf(getFreeNetLimit, account.freeNet, time),
        freeNetLimit: getFreeNetLimit,
      }),
      ...some({ NetUsed: usedAt(account.net, time), NetLimit: account.staked.net, TotalNetLimit: getTotalNetLimit }),
    }
  },
  getcontract: (params) => {
    const facts = codeIn(node.state, params.address('value'))?.contract
    if (facts === undefined || facts === null) return {}
    const address = (hex: unknown) => spelled(String(hex), params.visible)
    const spelledFacts = {
      origin_address: address(facts.origin_address),
      contract_address: address(facts.contract_address),
    }
    return { ...facts, ...spelledFacts }
  },
  getcontractinfo: (params) => {
    const hex = params.address('value')
    const entry = codeIn(node.state, hex)
    if (entry === null) return {}
    const factor = node.ledger.energyFactorOf(hex)
    const state = { update_cycle: 1, ...(factor === 0 ? {} : { energy_factor: factor }) }
    return { smart_contract: entry.contract ?? {}, runtimecode: hexOf(entry.code), contract_state: state }
  },
})
