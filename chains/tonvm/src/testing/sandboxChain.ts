import { randomBytes } from 'node:crypto'
import type { CurrencyConfig } from '@causeway/core/chain'
import { type DeploymentPlan, type SandboxChain, wholeUnits } from '@causeway/core/testing'
import { Address, type Message } from '@ton/core'
import { poolKeyOf } from '../depositAddress/depositAddresses.js'
import { MAIN_NETWORK_ID } from '../options.js'
import { GIVER, internalMessage } from './engine/internalMessage.js'
import { mintMessage } from './jetton/jettonMessages.js'
import { jettonMinter } from './jetton/jettons.js'
import { applyMessages } from './node/controls.js'

/** As configurations list it. */
export const NATIVE_CURRENCY: CurrencyConfig = {
  address: 'EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c',
  symbol: 'TON',
  name: 'Toncoin',
  decimals: 9,
  groupId: 'ton',
}

/** Nanotons that the operator leaves on the depository for fees. */
const FLOAT = 100_000_000_000n
const POLL_MS = 200

/**
 * Deposits go to the wallet of the allocator's key. Wallets are not deployed: the first transfer of each brings its code. Jettons of each
 * deployment are new ones, also if the plan names the same symbols.
 */
export const sandboxChain: SandboxChain = {
  processWord: 'openLocalTon',
  allocator: 'own',
  hasTokens: true,
  deploy: async (chain, plan) => {
    const made = plan.tokens.map(({ name, symbol, decimals }) =>
      jettonMinter({ name, symbol, decimals, description: randomBytes(8).toString('hex') }),
    )
    const currencies = plan.tokens.map((token, at) => currencyOf(token, made[at]?.address))
    const depository = plan.allocator.address
    const float = internalMessage(GIVER, Address.parse(depository), FLOAT)
    await applyMessages(chain, [...made.map(({ message }) => message), float, ...fundingOf(plan, currencies)])
    return {
      depository,
      options: { depository, pollIntervalMs: POLL_MS, ...addressesOf(plan) },
      currencies: [NATIVE_CURRENCY, ...currencies],
      unlisted: [],
    }
  },
}

const currencyOf = (
  { standard: _, ...token }: DeploymentPlan['tokens'][number],
  address: Address | undefined,
): CurrencyConfig => ({ ...token, address: address?.toRawString() ?? '' })

/** Deposit addresses where a seed is given for them. */
const addressesOf = ({ seed }: DeploymentPlan) =>
  seed === undefined ? {} : { depositPoolKey: poolKeyOf(seed, MAIN_NETWORK_ID) }

/** Messages that give solver and users what the plan says. */
const fundingOf = (
  { payout, users, solverHolds, userHolds }: DeploymentPlan,
  currencies: readonly CurrencyConfig[],
): readonly Message[] => {
  const holders = [{ address: payout.address, ...solverHolds }, ...users.map((address) => ({ address, ...userHolds }))]
  const nanotons = (value: bigint) => wholeUnits(value, NATIVE_CURRENCY.decimals)
  return [
    ...holders.map(({ address, native }) => internalMessage(GIVER, Address.parse(address), nanotons(native))),
    ...currencies.flatMap(({ address: jetton, decimals }) =>
      holders
        .filter(({ token }) => token > 0n)
        .map(({ address, token }) =>
          mintMessage({
            ...{ admin: GIVER, minter: Address.parse(jetton), responseTo: GIVER },
            ...{ recipient: Address.parse(address), amount: wholeUnits(token, decimals) },
          }),
        ),
    ),
  ]
}
