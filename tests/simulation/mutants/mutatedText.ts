import type { Mutant } from './mutant.js'

/** The text of a built file without the defence. @throws Error where what is taken out does not stand there exactly once */
export const mutatedText = ({ name, file, find, replace }: Mutant, text: string): string => {
  const parts = text.split(find)
  const [before, after, more] = parts
  if (before === undefined || after === undefined || more !== undefined)
    throw new Error(`Mutant ${name}: its text stands ${parts.length - 1} times in ${file}, not once: ${find}`)
  return before + replace + after
}
