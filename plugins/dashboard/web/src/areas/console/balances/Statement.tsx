import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../components/controls/Button.js'
import { TextField } from '../../../components/controls/Field.js'
import { Notice } from '../../../components/feedback/Notice.js'
import { Skeleton } from '../../../components/feedback/States.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { checkCommand } from '../commands.js'
import { Card } from '../parts/Card.js'
import { Money } from '../parts/money/Money.js'
import type { ShownCurrency } from '../parts/money/shownMoney.js'
import { SameOnTerminal } from '../parts/SameOnTerminal.js'
import { useChainName } from '../parts/useChains.js'
import { Movements } from './Movements.js'

const words = consoleTexts.balances

type Posted = ShownCurrency & {
  readonly at: string
  readonly cause: string
  readonly event: string
  readonly requestId: string | null
  readonly context: string
  readonly changes: readonly { readonly account: string; readonly delta: string }[]
}

/** What is read of `causeway balances statement <wallet> --json`. */
interface StatementReport {
  readonly from: string
  readonly to: string
  readonly accounts: readonly (ShownCurrency & {
    readonly account: string
    readonly opening: string
    readonly closing: string
  })[]
  readonly movements: readonly Posted[]
}

const Accounts = ({ report }: { readonly report: StatementReport }) => {
  const chainName = useChainName()
  return (
    <ul className="tight">
      {report.accounts.map((item) => (
        <li key={`${item.account} ${item.chainId} ${item.currency}`} className="row between">
          <span>
            <strong>{words.accounts[item.account] ?? item.account}</strong>{' '}
            <span className="soft">{chainName(item.chainId)}</span>
          </span>
          <span>
            <Money money={{ ...item, amount: item.opening }} /> → <Money money={{ ...item, amount: item.closing }} />
          </span>
        </li>
      ))}
    </ul>
  )
}

const movementsOf = ({ movements }: StatementReport) =>
  movements.map((movement) => ({
    ...movement,
    changes: movement.changes.map(({ account, delta }) => ({ ...movement, account, amount: delta })),
  }))

const Shown = ({ wallet, from, to }: { readonly wallet: string; readonly from: string; readonly to: string }) => {
  const call = { name: 'balances statement', arguments: [wallet], options: { from, to } }
  const { data, error } = useQuery(checkCommand<StatementReport>(call))
  if (error) return <Notice tone="bad">{error.message}</Notice>
  if (data === undefined) return <Skeleton lines={4} />
  return (
    <>
      <Accounts report={data} />
      <Movements movements={movementsOf(data)} />
      <SameOnTerminal call={{ ...call, options: { ...call.options, csv: true } }} />
    </>
  )
}

/** Every posting of a wallet within a time that the operator names. */
export const Statement = ({ wallet }: { readonly wallet: string }) => {
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [asked, setAsked] = useState<{ readonly from: string; readonly to: string } | null>(null)
  return (
    <Card title={words.statement}>
      <p className="soft">{words.statementLead}</p>
      <form
        className="row ends"
        onSubmit={(event) => {
          event.preventDefault()
          setAsked({ from: from.trim(), to: to.trim() })
        }}
      >
        <TextField label={words.from} type="date" value={from} onChange={({ target }) => setFrom(target.value)} />
        <TextField label={words.to} type="date" value={to} onChange={({ target }) => setTo(target.value)} />
        <Button type="submit">{words.show}</Button>
      </form>
      {asked !== null && <Shown wallet={wallet} {...asked} />}
    </Card>
  )
}
