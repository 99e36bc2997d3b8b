import { token } from '../container/tokens.js'
import type { Command } from './plugin.js'

/** The commands that a host knows, of all its plugins and its own. */
export interface OperatorCommands {
  /** Made when first asked for; by then every plugin must be set up. */
  all(): readonly Command[]
}

export const OPERATOR_COMMANDS = token<OperatorCommands>('core/OperatorCommands')
