/** `addressCodec` of `identity`, in every skeleton. */
export const ADDRESS_CODEC = `
      // Bytes of addresses and currency ids in order ids, native.address included. Required for a VM that is not one of
      // the nine of core; delete it for one of the nine.
      addressCodec: {
        encode: () =>
          toBeDone(
            'addressCodec.encode',
            'bytes of an address or currency id, equal for equal accounts; "native" needs bytes too, such as one zero byte',
          ),
        decode: () => toBeDone('addressCodec.decode', 'the canonical address or currency id of such bytes'),
      },
`.slice(1)

/** `src/adapter.ts` of a new chain package. */
export const ADAPTER = `
import type { ChainDeps } from '@causeway/core/chain'
import { defineAdapter } from '@causeway/core/chain-kit'
import { __CLASS__Lane } from './lane.js'
import type { ChainOptions } from './options.js'
import { toBeDone } from './toBeDone.js'

/**
 * One configured __CHAIN__ chain (core/docs/kit/adapter.md). Every failure that leaves it is a ServiceError of core, without a URL in its
 * message.
 */
export const __CHAIN__Adapter = (options: ChainOptions, deps: ChainDeps) =>
  defineAdapter({
    identity: {
      config: deps.config,
      vmType: '__CHAIN__vm',
      // Change to what your chain has; \`address\` is the id of the native currency, which addressCodec must encode.
      native: { address: 'native', symbol: 'COIN', name: 'Coin', decimals: 9 },
      depository: options.depository,
      // Largest amount the chain can represent.
      maxAmount: 2n ** 64n - 1n,
      // Declared once and relied upon: a quote that the chain cannot serve is refused because of it.
      capabilities: { bump: 'resign-after-expiry', depositBinding: 'memo', refundToDepositor: true },
${ADDRESS_CODEC}    },
    forms: {
      validateAddress: () =>
        toBeDone('validateAddress', 'accept every spelling of an address, give its canonical one; refuse with a reason'),
      normalizeCurrency: () =>
        toBeDone('normalizeCurrency', 'the canonical id of a currency; the zero address 0x00..00 means native.address'),
    },
    reader: {
      start: async () => {
        const { length } = deps.config.rpc
        toBeDone('start', \`check chain and head of \${length} endpoints within \${options.rpcTimeoutMs ?? 5000} ms each\`)
      },
      stop: async () => {
        // Close connections and timers here.
      },
      // State of each endpoint now, from memory.
      endpoints: () => toBeDone('endpoints', 'tell which endpoints are ok, lagging, distrusted or down'),
      tip: async () => toBeDone('tip', 'the newest block: height, hash, time'),
      onHead: () => {
        toBeDone('onHead', 'call back at each new head until the signal aborts')
      },
      getBalances: async () => toBeDone('getBalances', 'balances and the height they were read at, in one round trip'),
      cursorAt: async () => toBeDone('cursorAt', 'a cursor from which watch reads a height and all that come after it'),
      watch: () => toBeDone('watch', 'read deposits from a stored cursor on, also when blocks leave the chain'),
      recheckDeposits: async () => toBeDone('recheckDeposits', 'look stored deposits up again'),
      confirmDeposit: async () =>
        toBeDone('confirmDeposit', 'ask endpoints of distinct providers whether the deposit is just as claimed'),
      findTransaction: async () =>
        toBeDone('findTransaction', 'the state of one transaction, and the orders its deposits name'),
    },
    payouts: {
      lane: new __CLASS__Lane(options, deps),
      simulate: async () =>
        toBeDone('simulate', 'run or check the payout as the solver would send it, and say why it would fail'),
      estimatePayoutFee: async () =>
        toBeDone('estimatePayoutFee', 'what the network takes from the solver for one payout'),
    },
    deposits: {
      estimateDepositFee: async () =>
        toBeDone('estimateDepositFee', 'what the network takes from the user for one deposit'),
      buildDeposit: async () =>
        toBeDone('buildDeposit', 'what the user must sign so that the deposit carries the order id'),
    },
  })
`
