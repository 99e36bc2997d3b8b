import type { Static, TSchema } from '@sinclair/typebox'
import type { DependencyContainer, InjectionToken } from 'tsyringe'
import type { Migration } from '../database/migrate.js'
import type { Route } from '../http/route.js'
import type { SocketEndpoint } from '../http/socket/socketEndpoint.js'

/** What a process may be (architecture.md 6): a host runs the jobs of its roles. */
export const ROLES = ['api', 'watcher', 'solver', 'webhooks'] as const
export type Role = (typeof ROLES)[number]

/** Long-running work of a role; must end soon after the signal aborts. It is started again with backoff when it throws. */
export interface Job {
  readonly name: string
  readonly role: Role
  run(signal: AbortSignal): Promise<void>
}

/**
 * What a command is to the operator console: `read` changes nothing and prints JSON with `--json`; `action` changes something; `money`
 * moves money, or lets it move: the console asks for a fresh sign-in and for `confirmWith`.
 */
export type CommandKind = 'read' | 'action' | 'money'

export interface CommandInput {
  readonly arguments: readonly string[]
  readonly options: Readonly<Record<string, unknown>>
  /** Whom the audit names. Absent: who runs this process (`auditActor`). */
  readonly actor?: string | undefined
  print(line: string): void
}

/** A word of the command line, for example `api-keys create`. `register` of the plugin has run; no job or listener has. */
export interface Command {
  readonly name: string
  readonly description: string
  readonly arguments?: readonly { readonly name: string; readonly description: string; readonly required: boolean }[]
  readonly options?: readonly { readonly flags: string; readonly description: string; readonly default?: string }[]
  /** Absent: for the command line alone, for example what needs a key of the operator's own machine or reads from it. */
  readonly console?: CommandKind
  /** Of a `money` command: the name of the argument that the console lets the operator type once more. */
  readonly confirmWith?: string
  /** Of a `read`: for how many milliseconds all consoles may be shown one answer (default 2000). */
  readonly freshMs?: number
  /** May run in a serving host too, for the console, with `yes` set: then it asks nobody and reads no standard input. */
  run(input: CommandInput): Promise<void>
}

export interface PluginContext<Options> {
  /** The plugin's own child container: resolves core's tokens and those of the plugins it requires. */
  readonly container: DependencyContainer
  readonly options: Options
}

/** The default export of a plugin package (architecture.md 5). */
export interface Plugin<Schema extends TSchema = TSchema> {
  readonly name: string
  readonly version: string
  /** Range of core it was written for; the host refuses to start on a mismatch, naming both versions. */
  readonly coreRange: string
  /** Tokens that must be there before this plugin is set up; the host orders plugins by them and spells out cycles. */
  readonly requires?: readonly InjectionToken[]
  /** Tokens this plugin registers for others. */
  readonly provides?: readonly InjectionToken[]
  /** Schema of its options in the configuration; defaults apply. */
  readonly options: Schema
  readonly migrations?: readonly Migration[]
  /** Registers what it provides through `provide` (visible to all) or on its own container (visible to itself). */
  register?(context: PluginContext<Static<Schema>> & Provide): void | Promise<void>
  routes?(context: PluginContext<Static<Schema>>): readonly Route[]
  /** Websockets beside the routes; ended before the listener when the process stops. */
  sockets?(context: PluginContext<Static<Schema>>): readonly SocketEndpoint[]
  jobs?(context: PluginContext<Static<Schema>>): readonly Job[]
  commands?(context: PluginContext<Static<Schema>>): readonly Command[]
  start?(context: PluginContext<Static<Schema>>): Promise<void>
  stop?(context: PluginContext<Static<Schema>>): Promise<void>
}

export interface Provide {
  /** Registers a singleton for every plugin; the token must stand in `provides`. Made on first use. */
  provide<T>(token: InjectionToken<T>, factory: (container: DependencyContainer) => T): void
}

/** Keeps `Schema` inferred and the shape checked where it is written. */
export const definePlugin = <Schema extends TSchema>(plugin: Plugin<Schema>): Plugin<Schema> => plugin
