import { evmAddressOfKey, type OwnAccountQuestions } from '@causeway/core/chain-kit'
import { isEvmAddress, NATIVE, normalizeCurrency } from '../address/addresses.js'
import { type AccountState, askAccount } from '../rpc/accounts.js'
import type { Asked } from '../rpc/mirrorNode.js'
import { askRecipient } from './recipients.js'

/** Whether a key in hex gives an EVM address; an account that is named by its number may have any key. */
const isKeyOf = (key: string, address: string): boolean =>
  !isEvmAddress(address) || (SECP256K1_KEY.test(key) && evmAddressOfKey(Buffer.from(key, 'hex')) === address)

const SECP256K1_KEY = /^0[23][0-9a-f]{64}$/

/** Answers about accounts by one mirror node. */
export const accountQuestions = (asked: Asked, ledgerId: string | null): OwnAccountQuestions<AccountState> => ({
  native: { symbol: 'HBAR', unit: 'tinybars' },
  read: async ({ address }) => {
    const account = await askAccount(asked, address)
    return account === null || account.isDeleted ? null : account
  },
  // The depository pays no fees and keeps no reserve.
  funds: async ({ balance }) => ({ held: balance, reserve: 0n }),
  closed: (_, { needsReceiverSignature }) =>
    needsReceiverSignature
      ? {
          message: 'takes only transfers that it signs itself',
          remedy: 'Clear receiverSigRequired of this account: the depository does not sign deposits.',
        }
      : null,
  usedByOthers: async ({ address }, { key }) =>
    key === null || isKeyOf(key, address)
      ? []
      : [
          {
            check: 'account key',
            state: 'fault',
            message: 'has another key than the one that its EVM address is made of',
            remedy: `Give ${address} its own key again (CryptoUpdate), or configure another account.`,
          },
        ],
  holds: async ({ address, failing }, { address: configured, symbol }) => {
    const currency = normalizeCurrency(configured, ledgerId)
    if (currency === null || currency === NATIVE) return null
    const { why } = await askRecipient(asked, address, currency)
    const check = `token ${symbol}`
    if (why === null) return { check, state: 'ok', message: 'holds or may hold it' }
    const remedy = `Associate ${address} with ${currency}, and have the issuer approve it where the token asks for that.`
    return { check, state: 'fault', message: `cannot be paid in it, so ${failing} in it: ${why}`, remedy }
  },
})
