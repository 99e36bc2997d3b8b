import { Copyable } from '../../../components/values/Copyable.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { type CommandCall, commandLine } from '../commands.js'

const words = consoleTexts.action

/** The line of the command line that does the same. */
export const SameOnTerminal = ({ call }: { readonly call: CommandCall }) => (
  <div className="console-line">
    <span className="small faint">{words.sameLine}</span>
    <Copyable text={commandLine(call)} what={words.line} />
  </div>
)
