import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { TextField } from '../../../components/controls/Field.js'
import { BulkDialog } from '../../../components/data/BulkDialog.js'
import { Copyable } from '../../../components/values/Copyable.js'
import { OldSignIn } from '../../../shell/session/OldSignIn.js'
import { bulkTexts } from '../../../texts/bulkTexts.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { type CommandCall, commandLine, keyOfReads, runCommand } from '../commands.js'
import { REASON } from './CommandDialog.js'
import { MoneyOn } from './money/Money.js'
import type { ShownMoney } from './money/shownMoney.js'
import { sumMoney } from './money/sumMoney.js'

const words = consoleTexts.action

/** The command of the command line that runs for each of several items, as for a single item. */
export interface BulkCommand<Item> {
  /** As a verb in lower case: `refund`. It is typed with the count before the run begins. */
  readonly verb: string
  title(count: number): string
  readonly effect: string
  readonly confirm: string
  readonly danger?: boolean
  call(item: Item, reason: string): CommandCall
  /** The argument of the command that the service wants repeated. */
  confirmWith(item: Item): string
  keyOf(item: Item): string
  nameOf(item: Item): ReactNode
  moneysOf(item: Item): readonly ShownMoney[]
}

export interface CommandsDialogProps<Item> {
  readonly command: BulkCommand<Item>
  readonly items: readonly Item[]
  /** How many of the chosen rows do not allow the command. */
  readonly leftOut: number
  onClose(): void
}

const Total = ({ moneys, count }: { readonly moneys: readonly ShownMoney[]; readonly count: number }) => (
  <div className="tight">
    <strong>{`${bulkTexts.sum}: ${count.toLocaleString('en')}`}</strong>
    <ul className="tight">
      {sumMoney(moneys).map((money) => (
        <li key={`${money.chainId} ${money.currency}`}>
          <MoneyOn money={money} />
        </li>
      ))}
    </ul>
  </div>
)

/** Runs a command for each of several items after one confirmation, with one reason. */
export const CommandsDialog = <Item,>({ command, items: chosen, leftOut, onClose }: CommandsDialogProps<Item>) => {
  const client = useQueryClient()
  const [items] = useState(chosen)
  const [reason, setReason] = useState('')
  const { verb, title, effect, confirm, danger = false, call, confirmWith, keyOf, nameOf, moneysOf } = command
  const lines = items.map((item) => commandLine(call(item, reason))).join('\n')
  return (
    <BulkDialog
      {...{ items, keyOf, nameOf, confirm, danger, onClose }}
      title={title(items.length)}
      lead={
        <>
          {effect} {leftOut > 0 && bulkTexts.leftOut(leftOut)}
        </>
      }
      total={<Total moneys={items.flatMap(moneysOf)} count={items.length} />}
      act={async (item) => (await runCommand(call(item, reason), confirmWith(item))).at(-1) ?? ''}
      retype={bulkTexts.typed(verb, items.length)}
      problem={() => (reason.trim() === '' ? words.missing(words.reason) : null)}
      ended={() => client.invalidateQueries({ queryKey: keyOfReads() })}
    >
      <OldSignIn />
      <TextField
        label={REASON.label}
        hint={words.reasonHint}
        value={reason}
        required
        maxLength={500}
        onChange={({ target }) => setReason(target.value)}
      />
      <div className="console-line">
        <span className="small faint">{words.sameLine}</span>
        <Copyable text={lines} shown={bulkTexts.lines(items.length)} what={bulkTexts.lines(items.length)} />
      </div>
    </BulkDialog>
  )
}
