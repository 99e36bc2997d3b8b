import { usedAt } from '../engine/resources.js'
import { accountIn, codeIn } from '../engine/state.js'
import { spelled } from '../wire/transactionJson.js'
import { nonZero } from './answers.js'
import type { Methods } from './params.js'
import type { TronView } from './tronView.js'

/** Methods that read accounts and contracts; what does not exist is an empty object. */
export const accountMethods = (node: TronView): Methods => ({
  getaccount: (params) => {
    const account = accountIn(node.state, params.address('address'))
    if (account === null) return {}
    const { time } = node.head
    return {
      address: spelled(account.address, params.visible),
      ...(account.isContract ? { type: 'Contract' } : {}),
      ...nonZero({ balance: account.balance, create_time: account.createdAt }),
      // The name of the field has this typing error.
      ...nonZero({ latest_opration_time: account.operatedAt }),
      ...nonZero({ net_usage: usedAt(account.net, time), free_net_usage: usedAt(account.freeNet, time) }),
      account_resource: nonZero({ energy_usage: usedAt(account.energy, time) }),
    }
  },
  getaccountresource: (params) => {
    const account = accountIn(node.state, params.address('address'))
    if (account === null) return {}
    const { parameters } = node.ledger
    const { time } = node.head
    return {
      ...nonZero({ freeNetUsed: usedAt(account.freeNet, time), freeNetLimit: parameters.getFreeNetLimit }),
      ...nonZero({ NetUsed: usedAt(account.net, time), NetLimit: account.staked.net }),
      ...nonZero({ EnergyUsed: usedAt(account.energy, time), EnergyLimit: account.staked.energy }),
      ...{ TotalNetLimit: parameters.getTotalNetLimit, TotalEnergyLimit: parameters.getTotalEnergyCurrentLimit },
    }
  },
  getcontract: (params) => {
    const facts = codeIn(node.state, params.address('value'))?.contract
    if (facts === undefined || facts === null) return {}
    const named = [facts.origin_address, facts.contract_address]
    const [origin_address, contract_address] = named.map((hex) => spelled(String(hex), params.visible))
    return { ...facts, origin_address, contract_address }
  },
})
