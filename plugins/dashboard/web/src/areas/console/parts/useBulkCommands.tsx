import { useState } from 'react'
import type { BulkAction } from '../../../components/data/BulkBar.js'
import { type BulkCommand, CommandsDialog } from './CommandsDialog.js'

type Allowed<Item> = BulkCommand<Item> & { allows(item: Item): boolean }

/** Actions of a bar for commands, and the dialog of the action that was chosen. `count`: chosen rows. */
export const useBulkCommands = <Item,>(commands: readonly Allowed<Item>[], count: number) => {
  const [asked, setAsked] = useState<{
    readonly command: Allowed<Item>
    readonly items: readonly Item[]
    readonly leftOut: number
  } | null>(null)
  const actions = commands.map(
    (command): BulkAction<Item> => ({
      text: command.confirm,
      danger: command.danger ?? false,
      allows: command.allows,
      open: (items) => setAsked({ command, items, leftOut: count - items.length }),
    }),
  )
  return { actions, dialog: asked === null ? null : <CommandsDialog {...asked} onClose={() => setAsked(null)} /> }
}
