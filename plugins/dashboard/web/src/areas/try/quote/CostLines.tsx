import { Amount } from '../../../components/values/Amount.js'
import { tryTexts } from '../../../texts/tryTexts.js'
import type { Quote, QuoteAmount } from './quote.js'

const words = tryTexts.quote

interface Line {
  readonly key: string
  readonly sign: '' | '−' | '+' | '='
  readonly amount: Pick<QuoteAmount, 'currency' | 'amount'> & { readonly amountUsd: string | null }
}

const size = (text: string): bigint => {
  const amount = BigInt(text)
  return amount < 0n ? -amount : amount
}

const isSame = (a: QuoteAmount['currency'], b: QuoteAmount['currency']): boolean =>
  a.chainId === b.chainId && a.address.toLowerCase() === b.address.toLowerCase()

/** What is taken off, each where there is any. A fee of the service below nothing is a rebate. */
const takenOff = ({ fees }: Quote): readonly Line[] => {
  const isRebate = BigInt(fees.relayerService.amount) < 0n
  const lines: readonly Line[] = [
    { key: 'execution', sign: '−', amount: fees.relayerGas },
    {
      key: isRebate ? 'rebate' : 'service',
      sign: isRebate ? '+' : '−',
      amount: {
        ...fees.relayerService,
        amount: size(fees.relayerService.amount).toString(),
        amountUsd: fees.relayerService.amountUsd.replace(/^-/, ''),
      },
    },
    { key: 'app', sign: '−', amount: fees.app },
    { key: 'sponsored', sign: '+', amount: fees.subsidized },
  ]
  return lines.filter(({ amount, key }) => amount.amount !== '0' || key === 'service')
}

/** What is left once all of it is taken off; null where the costs are in another currency than the payment. */
const restOf = ({ details: { currencyIn }, fees }: Quote): Line | null => {
  const parts = [fees.relayerGas, fees.relayerService, fees.app]
  if (![...parts, fees.subsidized].every(({ currency }) => isSame(currency, currencyIn.currency))) return null
  const cost = parts.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  const rest = BigInt(currencyIn.amount) - cost + BigInt(fees.subsidized.amount)
  return { key: 'rest', sign: '=', amount: { ...currencyIn, amount: rest.toString(), amountUsd: null } }
}

const LineView = ({ line: { key, sign, amount } }: { readonly line: Line }) => {
  const [name = key, what = ''] = words.lines[key] ?? []
  const { symbol, decimals } = amount.currency
  return (
    <li data-sum={sign === '=' || key === 'out'}>
      <span className="cost-words">
        <span>{name}</span>
        <span className="small faint">{what}</span>
      </span>
      <span className="cost-amount number">
        <span aria-hidden>{sign}</span>{' '}
        <Amount amount={amount.amount} decimals={decimals} symbol={symbol} usd={amount.amountUsd} />
      </span>
    </li>
  )
}

/** What a transfer costs: from what is paid to what arrives, each line with what it is for. */
export const CostLines = ({ quote }: { readonly quote: Quote }) => {
  const { details, fees } = quote
  const rest = restOf(quote)
  const lines: readonly Line[] = [
    { key: 'in', sign: '', amount: details.currencyIn },
    ...takenOff(quote),
    ...(rest === null ? [] : [rest]),
    { key: 'out', sign: '', amount: details.currencyOut },
  ]
  const [gas, gasWhat] = words.gas
  return (
    <div className="tight">
      <h3>{words.linesTitle}</h3>
      <ol className="costs">
        {lines.map((line) => (
          <LineView key={line.key} line={line} />
        ))}
        <li className="cost-top">
          {fees.gas.amount === '0' ? (
            <span className="small soft">{words.gasNone}</span>
          ) : (
            <>
              <span className="cost-words">
                <span>{gas}</span>
                <span className="small faint">{gasWhat}</span>
              </span>
              <span className="cost-amount number">
                <Amount
                  amount={fees.gas.amount}
                  decimals={fees.gas.currency.decimals}
                  symbol={fees.gas.currency.symbol}
                  usd={fees.gas.amountUsd}
                />
              </span>
            </>
          )}
        </li>
      </ol>
    </div>
  )
}
