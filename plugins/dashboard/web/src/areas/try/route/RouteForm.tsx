import { ArrowLeftRight } from 'lucide-react'
import { Button } from '../../../components/controls/Button.js'
import { SelectField, TextField } from '../../../components/controls/Field.js'
import { Amount } from '../../../components/values/Amount.js'
import { shortened } from '../../../components/values/Copyable.js'
import { texts } from '../../../texts/texts.js'
import { tryTexts } from '../../../texts/tryTexts.js'
import { type Sandbox, type SandboxChain, type SandboxCurrency, useBalance } from '../sandbox/sandbox.js'
import { readAmount } from './amountInput.js'
import {
  accountsOn,
  amountCurrency,
  currenciesOf,
  type RouteSearch,
  TRADE_TYPES,
  type TryRoute,
  waysOf,
} from './tryRoute.js'

const words = tryTexts.route
const OTHER = 'other'

interface FormProps {
  readonly sandbox: Sandbox
  readonly route: TryRoute
  change(part: RouteSearch): void
}

const chainChoices = (chains: readonly SandboxChain[]) =>
  chains.map(({ id, displayName }) => ({ value: String(id), text: displayName }))

const currencyChoices = (chain: SandboxChain) =>
  currenciesOf(chain).map((currency) => ({
    value: currency.address,
    text: chain.unlisted.includes(currency) ? words.unlisted(currency.symbol) : currency.symbol,
  }))

const accountChoices = (sandbox: Sandbox, chain: SandboxChain) =>
  accountsOn(sandbox, chain).map(({ address, label }) => ({
    value: address,
    text: `${label} · ${shortened(address, 13)}`,
  }))

const Holds = ({
  chain,
  address,
  currency,
  isOwn,
}: {
  readonly chain: SandboxChain
  readonly address: string
  readonly currency: SandboxCurrency
  readonly isOwn: boolean
}) => {
  const amount = useBalance(chain.id, address, currency.address, isOwn)
  return (
    <p className="small soft try-holds">
      {amount === null ? (
        texts.data.none
      ) : (
        <>
          {words.balance} <Amount amount={amount} decimals={currency.decimals} symbol={currency.symbol} />
        </>
      )}
    </p>
  )
}

const problemOf = (route: TryRoute, held: string | null): string | null => {
  const { decimals } = amountCurrency(route)
  const amount = readAmount(route.amount, decimals)
  if (amount === 'wrong') return words.amountWrong
  if (amount === 'too fine') return words.amountTooFine(decimals)
  const isTooMuch = route.tradeType === 'EXACT_INPUT' && held !== null && amount > BigInt(held)
  return isTooMuch ? words.amountTooMuch : null
}

/** Where from, in what, by whom. */
const Origin = ({ sandbox, route, change }: FormProps) => (
  <fieldset className="try-side">
    <legend>{words.from}</legend>
    <SelectField
      label={words.from}
      choices={chainChoices(sandbox.chains)}
      value={String(route.from.id)}
      onChange={({ target }) => change({ from: target.value })}
    />
    <SelectField
      label={words.currencyIn}
      choices={currencyChoices(route.from)}
      value={route.currencyIn.address}
      onChange={({ target }) => change({ in: target.value })}
    />
    <SelectField
      label={words.payer}
      choices={accountChoices(sandbox, route.from)}
      value={route.payer}
      onChange={({ target }) => change({ payer: target.value })}
    />
    <Holds chain={route.from} address={route.payer} currency={route.currencyIn} isOwn />
  </fieldset>
)

/** Where to, in what, for whom. */
const Destination = ({ sandbox, route, change }: FormProps) => {
  const choices = accountChoices(sandbox, route.to)
  const isOwn = choices.some(({ value }) => value === route.recipient)
  return (
    <fieldset className="try-side">
      <legend>{words.to}</legend>
      <SelectField
        label={words.to}
        choices={chainChoices(sandbox.chains.filter(({ id }) => id !== route.from.id))}
        value={String(route.to.id)}
        onChange={({ target }) => change({ to: target.value })}
      />
      <SelectField
        label={words.currencyOut}
        choices={currencyChoices(route.to)}
        value={route.currencyOut.address}
        onChange={({ target }) => change({ out: target.value })}
      />
      <SelectField
        label={words.recipient}
        choices={[...choices, { value: OTHER, text: words.otherRecipient }]}
        value={isOwn ? route.recipient : OTHER}
        onChange={({ target }) => change({ recipient: target.value === OTHER ? ' ' : target.value })}
      />
      {isOwn ? (
        <Holds chain={route.to} address={route.recipient} currency={route.currencyOut} isOwn />
      ) : (
        <TextField
          label={words.otherRecipientLabel}
          className="input mono"
          value={route.recipient.trim()}
          onChange={({ target }) => change({ recipient: target.value === '' ? ' ' : target.value })}
        />
      )}
    </fieldset>
  )
}

const Ways = ({ route, change }: Omit<FormProps, 'sandbox'>) => (
  <fieldset className="try-ways">
    <legend className="field-label">{words.way}</legend>
    {waysOf(route).map((way) => (
      <label key={way} className="try-way">
        <input type="radio" name="way" value={way} checked={route.way === way} onChange={() => change({ way })} />
        <span>
          <strong>{words.ways[way]}</strong>
          <span className="small soft">{words.wayHints[way]}</span>
        </span>
      </label>
    ))}
  </fieldset>
)

/** The route of a try. All of it stands in the address of the page. */
export const RouteForm = ({ sandbox, route, change }: FormProps) => {
  const held = useBalance(route.from.id, route.payer, route.currencyIn.address, true)
  const turn = () =>
    change({
      from: String(route.to.id),
      to: String(route.from.id),
      in: route.currencyOut.address,
      out: route.currencyIn.address,
    })
  return (
    <section className="card" aria-label={words.title}>
      <div className="card-head">
        <h2>{words.title}</h2>
        <Button size="small" onClick={turn}>
          <ArrowLeftRight aria-hidden />
          {words.swap}
        </Button>
      </div>
      <div className="try-sides">
        <Origin {...{ sandbox, route, change }} />
        <Destination {...{ sandbox, route, change }} />
      </div>
      <div className="try-amount">
        <TextField
          label={words.amount(amountCurrency(route).symbol)}
          inputMode="decimal"
          className="input number"
          maxLength={60}
          value={route.amount}
          problem={problemOf(route, held)}
          onChange={({ target }) => change({ amount: target.value })}
        />
        <SelectField
          label={words.mode}
          choices={TRADE_TYPES.map((value) => ({ value, text: words.modes[value] }))}
          value={route.tradeType}
          onChange={({ target }) => change({ exact: target.value })}
        />
      </div>
      <Ways route={route} change={change} />
    </section>
  )
}
