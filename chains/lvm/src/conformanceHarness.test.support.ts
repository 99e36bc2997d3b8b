import { type ConformanceHarness, hostileNodes, type LookAlike } from '@causeway/core/testing'
import type { LighterAdapter } from './adapter.js'
import { NATIVE } from './address/addresses.js'
import { CHAIN_ID, ETH, type LighterWorld, newKey, OVER_MS, PLENTY, transferStep } from './lighterWorld.test.support.js'
import { startLocalLighter } from './testing/node/localLighter.js'

const AMOUNT = 20_000_000n
const INSURANCE_FUND = '1'

const lookAlikes = ({ send, vault, solver }: LighterWorld): readonly LookAlike[] => [
  {
    what: 'a transfer to another account with the memo of a deposit',
    make: (memo) => send(transferStep(solver.account, { memo })),
    arrived: null,
  },
  {
    what: 'a transfer of another asset',
    make: (memo) => send(transferStep(vault.account, { assetIndex: 1, fromRouteType: 1, toRouteType: 1, memo })),
    arrived: { currency: ETH, amount: AMOUNT },
  },
  {
    what: 'a transfer from spot to perps, of which the latter arrives',
    make: (memo) => send(transferStep(vault.account, { fromRouteType: 1, memo })),
    arrived: { currency: NATIVE, amount: AMOUNT },
  },
]

/** The kit's harness over a world. */
export const lighterHarness = async (world: LighterWorld, adapter: LighterAdapter): Promise<ConformanceHarness> => {
  const { chain, solver, vault, user, endpoints, adapterOver, send } = world
  const strange = String((await chain.listAsset('STR', 6)).id)
  for (const currency of [strange, '3']) await chain.fund(user.owner, PLENTY, currency)
  await chain.openAccount(INSURANCE_FUND)
  let hasFailed = false
  const { hostile, forget, smallPages } = hostileNodes(chain, {
    other: () => startLocalLighter({ chainId: CHAIN_ID, blockMs: 0 }),
    finalDepth: 0,
  })
  return {
    versions: { adapter: '@causeway/chain-lvm 1.0.0', localChain: 'local Lighter exchange 1.0.0' },
    adapter,
    rpc: endpoints(),
    createAdapter: (rpc) => adapterOver(rpc),
    smallPages: async () => adapterOver([{ ...(await smallPages()).endpoint, provider: 'small pages' }]),
    signer: solver.signer,
    allocator: vault.signer,
    user: {
      address: user.account,
      send,
      sendFailing: async (data) => {
        await chain.failNextTransfer()
        return send(data)
      },
    },
    currencies: [NATIVE, ETH],
    nativeDecimals: 6,
    amount: AMOUNT,
    freshAddress: () => chain.openAccount(newKey().owner),
    addresses: {
      valid: [{ text: user.account, canonical: user.account }],
      invalid: [
        { text: user.owner, problem: 'foreign-network' },
        { text: 'bc1qzmtn0q92ayejt2hpffvlktcpmyy7vvsd06sefu', problem: 'foreign-network' },
        { text: `0${user.account}`, problem: 'malformed' },
        { text: '281474976710655', problem: 'malformed' },
        { text: `${user.account} `, problem: 'malformed' },
      ],
    },
    feeErrorPercent: { deposit: 1, payout: 1 },
    finalDepth: 0,
    height: () => chain.height(),
    patienceSeconds: 30,
    advance: (blocks) => chain.advance(blocks),
    expire: async () => {
      await chain.wind(OVER_MS)
      await chain.advance(2)
    },
    strangeToken: async () => strange,
    lookAlikes: lookAlikes(world),
    impossibleRecipients: async () => {
      // The rule that needs a payment which fails in its block comes first: the exchange takes one to the insurance fund alone.
      if (!hasFailed) await chain.failNextTransfer()
      hasFailed = true
      return [
        { what: 'an index without an account', address: newKey().account, currency: NATIVE },
        { what: 'an index without an account, in a spot asset', address: newKey().account, currency: ETH },
        { what: 'the insurance fund of the exchange', address: INSURANCE_FUND, currency: NATIVE },
      ]
    },
    hostile,
    forget,
    deviations: {
      'addresses-checksum': 'an account index has no checksum',
    },
  }
}
