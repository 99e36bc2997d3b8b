import { PERPS, SPOT, USDC } from '../engine/assets.js'
import { checkToken } from '../engine/authToken.js'
import { indexOfOwner } from '../engine/owner.js'
import { need } from '../engine/refusal.js'
import { accountIn, balanceIn, keyIn, keysOf } from '../engine/state/entries.js'
import type { Exchange, Routes } from './exchange.js'
import type { Params } from './params.js'

const EVERY_SLOT = 255
const USDC_DECIMALS = 6

/** Decimal text of an amount in the smallest unit. */
const decimalText = (amount: bigint, decimals: number): string =>
  `${amount}`.padStart(decimals + 1, '0').replace(new RegExp(`(\\d{${decimals}})$`), '.$1')

/** An account with its balances. @throws Refusal if there is none */
const accountJson = ({ ledger, state }: Exchange, account: string) => {
  const found = accountIn(state, account)
  need(found !== null, 'accountNotFound')
  const collateral = decimalText(balanceIn(state, account, { asset: USDC, route: PERPS }), USDC_DECIMALS)
  const assets = ledger.assets.all.map(({ id, symbol, decimals }) => ({
    ...{ symbol, asset_id: id, locked_balance: decimalText(0n, decimals) },
    balance: decimalText(balanceIn(state, account, { asset: id, route: SPOT }), decimals),
  }))
  return {
    ...{ code: 0, account_type: 0, index: Number(account), account_index: Number(account) },
    ...{ l1_address: found.owner ?? '', status: 1, collateral, available_balance: collateral },
    ...{ total_order_count: 0, pending_order_count: 0, positions: [], assets, shares: [] },
  }
}

const indexIn = (params: Params, name: string): string => {
  const address = params.text(name)
  need(/^0x[0-9a-f]{40}$/i.test(address), 'invalidParam', name)
  return indexOfOwner(address)
}

/** Calls about accounts. Nonces count accepted transactions, also those that wait for a block. */
export const accountRoutes = (exchange: Exchange): Routes => ({
  account: ({ params }) => {
    const byOwner = params.by('index', 'l1_address') === 'l1_address'
    const account = byOwner ? indexIn(params, 'value') : params.index('value')
    return { total: 1, accounts: [accountJson(exchange, account)] }
  },
  accountsByL1Address: ({ params }) => ({
    l1_address: params.text('l1_address'),
    sub_accounts: [accountJson(exchange, indexIn(params, 'l1_address'))],
  }),
  apikeys: ({ params }) => {
    const account = params.index('account_index')
    need(accountIn(exchange.state, account) !== null, 'accountNotFound')
    const slot = params.optional('api_key_index', EVERY_SLOT, EVERY_SLOT)
    const keys = keysOf(exchange.state, account).filter((key) => slot === EVERY_SLOT || key.slot === slot)
    need(keys.length > 0 || slot === EVERY_SLOT, 'keyNotFound')
    return {
      api_keys: keys.map((key) => ({
        ...{ account_index: Number(account), api_key_index: key.slot, nonce: key.nonce, public_key: key.publicKey },
      })),
    }
  },
  nextNonce: ({ params }) => {
    const [account, slot] = [params.index('account_index'), params.integer('api_key_index', EVERY_SLOT)]
    const state = exchange.view.isCurrent ? exchange.ledger.open : exchange.state
    need(accountIn(state, account) !== null, 'accountNotFound')
    return { nonce: keyIn(state, account, slot)?.nonce ?? 0 }
  },
  transferFeeInfo: ({ params, token }) => {
    const account = params.index('account_index')
    need(accountIn(exchange.state, account) !== null, 'accountNotFound')
    if (token !== '') checkToken(exchange.ledger.open, token, account, exchange.ledger.blocks.now)
    return { transfer_fee_usdc: Number(exchange.ledger.settings.transferFee) }
  },
})
