import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../../api/useSession.js'
import { SelectField } from '../../../components/controls/Field.js'
import { Notice } from '../../../components/feedback/Notice.js'
import { Loaded } from '../../../components/feedback/States.js'
import { Copyable } from '../../../components/values/Copyable.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { chainsQuery, type ShownChain, type ShownToken } from '../data/chains.js'

const words = dashboardTexts.overview.steps.quote
const PLACE = 'YOUR_KEY'
/** Whoever signed in without a wallet: an account that anybody may name, since asking moves nothing. */
const SOMEBODY = '0x000000000000000000000000000000000000dEaD'

interface Pair {
  readonly token: ShownToken
  readonly there: ShownToken
}

/** A token that both chains have, one of dollars first, so that the amount is small everywhere. */
const pairOf = (from: ShownChain, to: ShownChain): Pair | null => {
  const pairs = from.solverCurrencies.flatMap((token) => {
    const there = to.solverCurrencies.find(({ symbol }) => symbol === token.symbol)
    return there === undefined ? [] : [{ token, there }]
  })
  return pairs.find(({ token }) => /^usd|usd$/i.test(token.symbol)) ?? pairs[0] ?? null
}

/** A hundred of a dollar token; a hundredth of anything else. */
const amountOf = ({ symbol, decimals }: ShownToken): string =>
  /usd/i.test(symbol) ? `100${'0'.repeat(decimals)}` : (10n ** BigInt(Math.max(0, decimals - 2))).toString()

const lineOf = (from: ShownChain, to: ShownChain, { token, there }: Pair, caller: { key: string; wallet: string }) => {
  const body = {
    user: caller.wallet,
    recipient: caller.wallet,
    originChainId: from.id,
    originCurrency: token.address,
    destinationChainId: to.id,
    destinationCurrency: there.address,
    amount: amountOf(token),
    tradeType: 'EXACT_INPUT',
  }
  return [
    `curl -s ${location.origin}/quote/v2`,
    `-H 'content-type: application/json'`,
    `-H 'x-api-key: ${caller.key}'`,
    `-d '${JSON.stringify(body)}'`,
  ].join(' \\\n  ')
}

/** A command that asks for a quote and works as it stands. */
export const QuoteLine = ({ apiKey }: { readonly apiKey: string | null }) => (
  <Loaded query={useQuery(chainsQuery)} lines={5}>
    {(chains) => (
      <Choice chains={chains.filter(({ vmType, disabled }) => vmType === 'evm' && !disabled)} apiKey={apiKey} />
    )}
  </Loaded>
)

const Choice = ({ chains, apiKey }: { readonly chains: readonly ShownChain[]; readonly apiKey: string | null }) => {
  const session = useSession().data
  const [from, setFrom] = useState(chains[0]?.id ?? 0)
  const [to, setTo] = useState(chains[1]?.id ?? chains[0]?.id ?? 0)
  const origin = chains.find(({ id }) => id === from)
  const destination = chains.find(({ id }) => id === to)
  const pair = origin === undefined || destination === undefined ? null : pairOf(origin, destination)
  if (origin === undefined || destination === undefined || pair === null)
    return <Notice tone="warn">{words.none}</Notice>
  const choices = chains.map(({ id, displayName }) => ({ value: String(id), text: displayName }))
  const line = lineOf(origin, destination, pair, { key: apiKey ?? PLACE, wallet: session?.wallet ?? SOMEBODY })
  return (
    <div className="tight">
      <div className="filter-row">
        <SelectField
          label={words.from}
          choices={choices}
          value={String(from)}
          onChange={({ target }) => setFrom(Number(target.value))}
        />
        <SelectField
          label={words.to}
          choices={choices}
          value={String(to)}
          onChange={({ target }) => setTo(Number(target.value))}
        />
      </div>
      {apiKey !== null && <Notice tone="warn">{words.withKey}</Notice>}
      <div className="code-copy">
        <Copyable text={line} shown="curl" what={words.copy} />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
        <pre className="code" tabIndex={0}>
          {line}
        </pre>
      </div>
    </div>
  )
}
