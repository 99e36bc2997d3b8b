import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Button, type ButtonProps } from '../../../components/controls/Button.js'
import { ConfirmDialog } from '../../../components/controls/Dialogs.js'
import { CheckField, SelectField, TextField } from '../../../components/controls/Field.js'
import { OldSignIn } from '../../../shell/session/OldSignIn.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { type CommandCall, keyOfReads, runCommand } from '../commands.js'
import { showSaid } from './CommandSaid.js'
import { SameOnTerminal } from './SameOnTerminal.js'

const words = consoleTexts.action

/** Something that the operator says before a command runs; it becomes an option, or an argument, of it. */
export interface CommandField {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly kind?: 'text' | 'check' | 'choice'
  readonly choices?: readonly { readonly value: string; readonly text: string }[]
  readonly needed?: boolean
  readonly first?: string
}

export type FieldValues = Readonly<Record<string, string>>

export interface CommandDialogProps {
  readonly title: string
  /** What exactly will happen, of what was said so far. */
  effect(values: FieldValues): ReactNode
  readonly fields?: readonly CommandField[]
  /** The command, of what was said. */
  call(values: FieldValues): CommandCall
  /** What of it has to be typed once more; null: nothing. It is there for all that moves money, and for that alone. */
  retype?(values: FieldValues): string | null
  /** What the service wants repeated, where that is longer than what is typed. */
  confirmWith?(values: FieldValues): string | null
  readonly confirm: string
  readonly danger?: boolean
  onClose(): void
}

const firstOf = (fields: readonly CommandField[]): FieldValues =>
  Object.fromEntries(fields.map(({ name, first = '' }) => [name, first]))

const Field = ({
  field: { name, label, hint, kind = 'text', choices = [], needed = false },
  value,
  set,
}: {
  readonly field: CommandField
  readonly value: string
  set(name: string, value: string): void
}) => {
  const said = hint === undefined ? {} : { hint }
  if (kind === 'check')
    return (
      <CheckField
        label={label}
        checked={value !== ''}
        onChange={({ target }) => set(name, target.checked ? 'yes' : '')}
      />
    )
  if (kind === 'choice')
    return (
      <SelectField
        label={label}
        {...said}
        choices={choices}
        value={value}
        onChange={({ target }) => set(name, target.value)}
      />
    )
  return (
    <TextField
      label={label}
      {...said}
      value={value}
      required={needed}
      maxLength={500}
      onChange={({ target }) => set(name, target.value)}
    />
  )
}

/** Asks, with all that a command needs, runs it, and shows what it says. */
export const CommandDialog = (props: CommandDialogProps) => {
  const { title, effect, fields = [], call, retype, confirmWith, confirm, danger = false, onClose } = props
  const client = useQueryClient()
  const [values, setValues] = useState(() => firstOf(fields))
  const act = async () => {
    const missing = fields.find(({ name, needed }) => needed === true && values[name]?.trim() === '')
    if (missing !== undefined) throw new Error(words.missing(missing.label))
    const repeated = confirmWith?.(values) ?? retype?.(values) ?? null
    const lines = await runCommand(call(values), repeated)
    onClose()
    showSaid({ title, lines, call: call(values) })
    await client.invalidateQueries({ queryKey: keyOfReads() })
  }
  const typed = retype?.(values) ?? null
  return (
    <ConfirmDialog
      open
      {...{ title, confirm, danger, act, onClose }}
      {...(typed === null || typed === '' ? {} : { retype: typed })}
      lead={effect(values)}
    >
      {retype !== undefined && <OldSignIn />}
      {fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          set={(name, value) => setValues((before) => ({ ...before, [name]: value }))}
        />
      ))}
      <SameOnTerminal call={call(values)} />
    </ConfirmDialog>
  )
}

export type CommandButtonProps = Omit<CommandDialogProps, 'onClose'> &
  Pick<ButtonProps, 'size' | 'kind'> & { readonly text: string }

/** A button that opens the dialog of a command. */
export const CommandButton = ({ text, size, kind, ...dialog }: CommandButtonProps) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        onClick={() => setOpen(true)}
        {...(size === undefined ? {} : { size })}
        kind={kind ?? (dialog.danger === true ? 'danger' : 'plain')}
      >
        {text}
      </Button>
      {isOpen && <CommandDialog {...dialog} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Every action that is kept in the audit says why. */
export const REASON: CommandField = { name: 'reason', label: words.reason, hint: words.reasonHint, needed: true }
