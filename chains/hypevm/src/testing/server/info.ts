import { accountIn, agentIn } from '../engine/state.js'
import { BUILDER_DEX, type SpotToken } from '../engine/tokens.js'
import { abstractionOf, clearinghouseState, type ShownAccount, spotState } from './balances.js'
import { addressIn, badBody, type ExchangeNode, numberIn, type Request, textIn } from './request.js'
import { type ShownUpdate, updatesIn } from './updates.js'

/** Answers to a type of `/info`. */
type InfoMethod = (node: ExchangeNode, request: Request) => unknown

/** Most updates of one answer. */
const PAGE = 500
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`

const shownAccount = ({ engine, view }: ExchangeNode, request: Request): ShownAccount => ({
  state: engine.state(view.head.height),
  ...{ tokens: engine.tokens, user: addressIn(request, 'user') },
})

const tokenMeta = ({ name, szDecimals, weiDecimals, index, tokenId }: SpotToken) => ({
  ...{ name, szDecimals, weiDecimals, index, tokenId, isCanonical: index === 0 },
  ...{ evmContract: null, fullName: null, deployerTradingFeeShare: '0.0' },
})

const builderDex = {
  ...{ name: BUILDER_DEX, fullName: 'Builder DEX', deployer: ZERO_ADDRESS, oracleUpdater: null, feeRecipient: null },
  ...{ assetToStreamingOiCap: [], subDeployers: [], deployerFeeScale: '1.0' },
  ...{
    lastDeployerFeeScaleChangeTime: '1970-01-01T00:00:00',
    assetToFundingMultiplier: [],
    assetToFundingInterestRate: [],
  },
}

/** @throws CallError for an unknown DEX */
const dexIn = (request: Request): string => {
  const dex = textIn(request, 'dex', '')
  if (dex !== '' && dex !== BUILDER_DEX) throw badBody()
  return dex
}

const userRole: InfoMethod = (node, request) => {
  const { state, user } = shownAccount(node, request)
  const agent = agentIn(state, user)
  if (agent !== undefined) return { role: 'agent', data: { user: agent.master } }
  const account = accountIn(state, user)
  if (account?.role === 'subAccount') return { role: 'subAccount', data: { master: account.master } }
  return { role: account?.role ?? 'missing' }
}

/** The fee of a request without `source` is 0, also for a new account. */
const preTransferCheck: InfoMethod = (node, request) => {
  const { state, user } = shownAccount(node, request)
  const account = accountIn(state, user)
  const isCharged = account === undefined && request.source !== undefined
  return {
    ...{ fee: isCharged ? '1.0' : '0.0', isSanctioned: account?.isSanctioned ?? false },
    ...{ userExists: account !== undefined, userHasSentTx: account?.hasSent ?? false },
  }
}

const subAccounts: InfoMethod = (node, request) => {
  const { state, user, tokens } = shownAccount(node, request)
  const subs = [...state.ofOwner(user)].filter((entry) => entry.kind === 'account' && entry.role === 'subAccount')
  if (subs.length === 0) return null
  return subs.flatMap((entry) => {
    if (entry.kind !== 'account') return []
    const own = { state, tokens, user: entry.address }
    const shown = { clearinghouseState: clearinghouseState(own, '', node.view.head.timeMs), spotState: spotState(own) }
    return [{ name: 'sub', subAccountUser: entry.address, master: user, ...shown }]
  })
}

/** Updates of an account, oldest first; with other hashes on a node of another branch. */
export const updatesOf = ({ view }: ExchangeNode, account: string): readonly ShownUpdate[] => {
  const isForked = view.head.hash !== view.blocks.block(view.head.height)?.hash
  const updates = view.history(account).flatMap(({ tx }) => updatesIn(tx, account))
  return isForked ? updates.map((update) => ({ ...update, hash: otherHash(update.hash) })) : updates
}

const otherHash = (hash: string): string => hash.replace(/.$/, (last) => (last === '1' ? '2' : '1'))

const userNonFundingLedgerUpdates: InfoMethod = (node, request) => {
  const [start, end] = [numberIn(request, 'startTime', 0), numberIn(request, 'endTime', Number.MAX_SAFE_INTEGER)]
  const found = updatesOf(node, addressIn(request, 'user')).filter(({ time }) => start <= time && time <= end)
  return found.slice(0, node.view.limit(undefined, PAGE))
}

export const INFO_METHODS: Readonly<Record<string, InfoMethod>> = {
  exchangeStatus: ({ view }) => ({ time: view.head.timeMs, specialStatuses: null }),
  spotMeta: ({ engine }) => ({ universe: [], tokens: engine.tokens.all.map(tokenMeta) }),
  perpDexs: () => [null, builderDex],
  meta: ({ engine }, request) => {
    dexIn(request)
    return { universe: [], marginTables: [], collateralToken: engine.tokens.usdc.index }
  },
  clearinghouseState: (node, request) =>
    clearinghouseState(shownAccount(node, request), dexIn(request), node.view.head.timeMs),
  spotClearinghouseState: (node, request) => spotState(shownAccount(node, request)),
  userAbstraction: (node, request) => abstractionOf(shownAccount(node, request)),
  ...{ userRole, preTransferCheck, subAccounts, userNonFundingLedgerUpdates },
}
