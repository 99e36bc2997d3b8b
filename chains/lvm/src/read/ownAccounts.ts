import type { AccountFinding, OwnAccount, OwnAccountQuestions } from '@causeway/core/chain-kit'
import { NATIVE } from '../address/addresses.js'
import type { LighterSettings } from '../options.js'
import { type AccountState, askAccount, askApiKey } from '../rpc/accounts.js'
import type { Asked } from '../rpc/lighterNode.js'

/** Answers about accounts of the service by one node. */
export const accountQuestions = (
  asked: Asked,
  { accounts }: Pick<LighterSettings, 'accounts'>,
): OwnAccountQuestions<AccountState> => ({
  native: { symbol: 'USDC', unit: 'millionths of a USDC' },
  read: ({ address }) => askAccount(asked, address),
  funds: async ({ balances }) => ({ held: balances.get(NATIVE) ?? 0n, reserve: 0n }),
  closed: () => null,
  usedByOthers: (own, state) => keyFindings(asked, { own, state, accounts }),
  // An account takes every asset.
  holds: async () => null,
})

const keyFindings = async (
  asked: Asked,
  {
    own,
    state,
    accounts,
  }: { readonly own: OwnAccount; readonly state: AccountState } & Pick<LighterSettings, 'accounts'>,
): Promise<readonly AccountFinding[]> => {
  const { address, role } = own
  const entry = accounts.find(({ account }) => account === address)
  if (entry === undefined) {
    const message = 'is not among "accounts" of the options, so nothing can be signed for it'
    return [
      { check: 'account key', state: 'fault', message, remedy: `Add an entry with the ${role} account and its owner.` },
    ]
  }
  if (entry.owner !== state.owner) {
    const message = `belongs to ${state.owner}, not to ${entry.owner}`
    return [
      { check: 'account key', state: 'fault', message, remedy: 'Correct the entry of the account in "accounts".' },
    ]
  }
  const { apiKeyIndex } = entry
  if ((await askApiKey(asked, entry)) !== null) return []
  const message = `has no API key in slot ${apiKeyIndex}, so nothing can be signed for it`
  return [{ check: 'api key', state: 'fault', message, remedy: 'Register one: README.md, "API keys".' }]
}
