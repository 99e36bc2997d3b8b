import { KNOWN_VM_TYPES, PROTOCOL_VM_TYPES } from '@causeway/core'

const NAMES = [...KNOWN_VM_TYPES, ...Object.values(PROTOCOL_VM_TYPES)].join('|')

/** As a whole text, as a member that is read, as a key. */
const FORMS = new RegExp(`(['"\`])(?:${NAMES})\\1|\\.(?:${NAMES})\\b|^\\s*(?:readonly )?(?:${NAMES})\\??:`, 'g')
const COMMENT = /\/\*.*?\*\/|^\s*\*.*|^\s*\/\*\*.*|(?:^|\s)\/\/.*/g

/** Names of VMs that code spells, with their lines; comments may. */
export const vmNamesIn = (code: string): readonly string[] =>
  code.split('\n').flatMap((line, at) => {
    const names = line.replaceAll(COMMENT, '').match(FORMS) ?? []
    return names.map((name) => `${at + 1}: ${name.trim()}`)
  })
