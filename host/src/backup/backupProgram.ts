import type { Command } from 'commander'
import { requireConfig } from '../cli/configOption.js'
import { processVariables } from '../config/environment.js'

interface Flags {
  readonly config?: string
  readonly pgBin?: string
}

const PG_BIN = [
  '--pg-bin <path>',
  'folder of pg_dump, pg_restore and psql (default: the installed ones that fit)',
] as const

/** The database and no signing key is needed, so the configuration is read without its keys. */
const withActions = async (
  command: Command,
  work: (actions: typeof import('./backupActions.js'), deps: import('./backupActions.js').BackupActionDeps) => unknown,
): Promise<void> => {
  const { config, pgBin } = command.optsWithGlobals<Flags>()
  const loaded = await requireConfig(config, { readKeys: false })
  const print = (line: string) => console.log(line)
  await work(await import('./backupActions.js'), { loaded, toolFolder: pgBin, environment: processVariables, print })
}

const RESTORE_HELP = `
The database must be there and empty, and no host may be connected to it. It is restored whole or not at all.
Afterwards every lane is compared with its chain before it pays; the command says what to do next.`

/** `backup`, `backup verify`, `restore`. */
export const addBackupCommands = (program: Command, config: readonly [string, string]): void => {
  const backup = program
    .command('backup')
    .description('Write a backup of the database, while hosts work; of the embedded one while it is stopped')
    .argument('<file>', 'file to write (a folder for the embedded database); what it is goes to <file>.json')
    .option(...config)
    .option(...PG_BIN)
    .enablePositionalOptions()
    .action((file: string, _flags: unknown, command: Command) =>
      withActions(command, (actions, deps) => actions.backup(deps, file)),
    )
  backup
    .command('verify')
    .description('Read a backup whole, compare it with what was written down, and say what it is; needs no database')
    .argument('<file>', 'a backup')
    .option(...config)
    .option(...PG_BIN)
    .action((file: string, _flags: unknown, command: Command) =>
      withActions(command, (actions, deps) => actions.verify(deps, file)),
    )
  program
    .command('restore')
    .description('Put a backup back into an empty database')
    .argument('<file>', 'a backup, with its <file>.json beside it')
    .option(...config)
    .option(...PG_BIN)
    .addHelpText('after', RESTORE_HELP)
    .action((file: string, _flags: unknown, command: Command) =>
      withActions(command, (actions, deps) => actions.restore(deps, file)),
    )
}
