import type { QuoteBody } from '@causeway/core/plugin'
import { NATIVE } from '../../adapter/ledgerChain/src/address.js'
import { BALANCE_WALLETS } from '../host/balanceWallets.js'
import type { Random } from '../kernel/random.js'

const KINDS = ['plain', 'plain', 'fees', 'fees', 'sponsored', 'both', 'both'] as const

/** What a quote asks for where balances are kept: fees of wallets, and a sponsor that bears all fees or a part; null: none. */
export const balanceTerms = (
  body: QuoteBody,
  random: Random,
): { readonly fees: Partial<QuoteBody>; readonly sponsor: Partial<QuoteBody> | null } => {
  const kind = random.pick(KINDS)
  return {
    fees: kind === 'fees' || kind === 'both' ? { appFees: appFeesOf(random) } : {},
    sponsor: kind === 'sponsored' || kind === 'both' ? sponsorOf(body, random) : null,
  }
}

/** Of one wallet or several, at times the same one twice. */
const appFeesOf = (random: Random) =>
  Array.from({ length: random.int(1, 3) }, () => ({
    recipient: random.pick(BALANCE_WALLETS).address,
    fee: random.pick(['0', '7', '100', '1000', '2500']),
  }))

/** A share or chosen fees are for quotes that no address is told for; a rate is for two dollars. */
const sponsorOf = ({ useDepositAddress, originCurrency, destinationCurrency }: QuoteBody, random: Random) => {
  const part = random.pick(['all', 'all', 'cap', 'share', 'chosen', 'rate'] as const)
  const isPlain = useDepositAddress !== true
  const areDollars = originCurrency !== NATIVE && destinationCurrency !== NATIVE
  return {
    subsidizeFees: true,
    // Millionths of a dollar.
    ...(part === 'cap' ? { maxSubsidizationAmount: random.pick(['1', '20000', '3000000']) } : {}),
    ...(part === 'share' && isPlain ? { subsidizationBps: random.pick([0, 1, 3_333, 10_000]) } : {}),
    ...(part === 'chosen' && isPlain ? { sponsoredFeeComponents: random.pick([['app'], ['execution', 'relay']]) } : {}),
    ...(part === 'rate' && areDollars ? { fixedRate: random.pick(['1:1', '1:1.01', '1:0.99']) } : {}),
  }
}
