import { callApi } from '../../../api/callApi.js'
import { askQuote } from '../quote/quote.js'
import type { TryRoute } from '../route/tryRoute.js'
import type { SandboxCurrency } from '../sandbox/sandbox.js'
import type { Paid } from './walletPay.js'

/** Whole units: enough to pay for the network, and to try with. */
const GIVEN = { native: 1n, token: 100n } as const

/** What a wallet needs to pay a route: the native currency of the chain, and what is paid. */
const needed = ({ from, currencyIn }: TryRoute): readonly (readonly [SandboxCurrency, bigint])[] => {
  const [native] = from.currencies
  return [
    ...(native === undefined ? [] : [[native, GIVEN.native] as const]),
    ...(native === currencyIn ? [] : [[currencyIn, GIVEN.token] as const]),
  ]
}

/** Sends money of the sandbox to somebody's wallet, by transfers on one chain. @throws ApiFailure */
export const giveMoney = async (route: TryRoute, wallet: string): Promise<void> => {
  for (const [{ address, decimals }, units] of needed(route)) {
    const quote = await askQuote({
      user: route.payer,
      recipient: wallet,
      originChainId: route.from.id,
      destinationChainId: route.from.id,
      originCurrency: address,
      destinationCurrency: address,
      amount: (units * 10n ** BigInt(decimals)).toString(),
      tradeType: 'EXACT_INPUT',
    })
    await callApi<Paid>('/try/api/pay', { method: 'POST', body: { quote } })
  }
}
